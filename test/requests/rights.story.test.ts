/** Who may do what, and who did it: tokens, the audit log, and commands from inside a session. */
import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import type { AuditPage } from '../../src/contract/audit.ts';
import { versions } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { hubOf } from '../rig/hub.ts';
import { subscribe } from '../rig/sse.ts';
import { world } from '../rig/story.ts';

const PERMISSION = 'Do you want to proceed?';

describe.each(versions)('Claude Code %s', version => {
  test('a held request can be answered by a person, not by a token without the right or another session', async () => {
    const story = await world({ version });
    const { drover } = story;
    await drover('setup');
    symlinkSync(MAIN, join(story.root, 'bin', 'drover'));
    const hub = await hubOf(story);
    const seat = await story.claude();
    await seat.ready();
    const { sessionId: id } = await seat.file(file => file.status === 'idle');
    await hub.is(id, ({ state }) => state === 'ready');
    await drover('hold', id);
    await seat.type('RUN touch made');
    await hub.pending(id);
    await seat.asks(PERMISSION);

    const reader = (await drover('token', 'add', 'reader', '--scope', 'read')).stdout.trim();
    const asReader = { Authorization: `Bearer ${reader}` };
    expect((await hub.ask('GET', `/sessions/${id}`, undefined, asReader)).status).toBe(200);
    expect(await hub.ask('POST', `/sessions/${id}/answer`, { behavior: 'allow' }, asReader)).toMatchObject({
      status: 403,
      body: { error: { code: 'forbidden', message: 'The token reader lacks the right `answer`.' } },
    });
    const [its, owners] = [await subscribe(hub.url, reader), await subscribe(hub.url, hub.token)];
    for (const stream of [its, owners]) await stream.next(({ event }) => event === 'state');
    expect((await drover('token', 'rm', 'reader')).stdout).toContain('Removed reader');
    await its.ended;
    expect((await hub.ask('GET', '/sessions', undefined, asReader)).status).toBe(401);

    // Another session, which may run any command, tries by itself: with its environment, and without.
    const bare = `env -i HOME=${story.home} DROVER_HOME=${story.droverHome} PATH=$PATH`;
    const other = await story.claude({ settings: { permissions: { allow: ['Bash'] } } });
    await other.ready();
    const { sessionId: tried } = await other.file(file => file.status === 'idle');
    for (const command of [`drover answer ${id} allow`, `${bare} drover answer ${id} allow`]) {
      await other.type(`RUN ${command}; echo exit $?`);
      await other.file(file => file.status === 'idle');
      await other.sees('Only people may run it');
    }
    await other.type(`RUN ${bare} drover token add mine --scope admin; echo exit $?`);
    await other.file(file => file.status === 'idle');
    expect((await drover('token', 'ls')).stdout).toContain('No named tokens');
    await other.type(`RUN drover send ${shortId(tried)} more; echo exit $?`);
    await other.file(file => file.status === 'idle');
    await other.sees('is the session that you run in');
    // What it may do stays possible.
    await other.type(`RUN drover ls --json > listed`);
    await other.file(file => file.status === 'idle');
    expect(existsSync(join(story.dir(), 'listed'))).toBe(true);
    expect(await seat.screen()).toContain(PERMISSION);
    expect((await hub.read(id)).pending).not.toBeNull();

    expect((await drover('answer', id, 'allow')).stdout).toContain('allowed Bash');
    await seat.sees('Allowed by PermissionRequest hook');
    await seat.file(file => file.status === 'idle');
    expect(existsSync(join(story.dir(), 'made'))).toBe(true);

    const { entries } = JSON.parse((await drover('audit', '--since', '1h', '--json')).stdout) as AuditPage;
    const cli = { kind: 'cli', name: null, session: null };
    const inside = { kind: 'cli', name: null, session: tried };
    const request = { tool: 'Bash', hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string };
    expect(entries).toMatchObject([
      { action: 'hold', sessionId: id, caller: cli, result: 'ok' },
      { action: 'token', caller: cli, result: 'ok', text: 'add reader: read' },
      { action: 'answer', sessionId: id, caller: { kind: 'token', name: 'reader' }, result: 'forbidden' },
      { action: 'token', caller: cli, result: 'ok', text: 'remove reader' },
      { action: 'answer', sessionId: id, caller: inside, result: 'nested' },
      { action: 'answer', sessionId: id, caller: inside, result: 'nested' },
      { action: 'token', caller: inside, result: 'nested' },
      { action: 'message', sessionId: tried, caller: inside, result: 'nested' },
      { action: 'answer', sessionId: id, caller: cli, request, result: 'ok', text: 'allow' },
    ]);
    expect((await drover('audit', tried)).stdout).toContain(`cli inside ${shortId(tried)}`);

    // Whoever acted, the state of the session only shows what it did itself. Its transcript may be read meanwhile.
    const stateOf = async () => {
      const { body } = await hub.ask('GET', `/sessions/${id}`);
      return { ...body, context: null, seq: 0, touched: 0 };
    };
    const before = await stateOf();
    expect((await hub.ask('POST', `/sessions/${id}/keys`, { keys: ['Enter'] })).status).toBe(409);
    expect(await stateOf()).toEqual(before);

    await drover('forget', id);
    const kept = JSON.parse((await drover('audit', id, '--json')).stdout) as AuditPage;
    expect(kept.entries.map(({ action, text }) => [action, text])).toEqual([
      ['hold', null],
      ...Array.from({ length: 4 }, () => ['answer', null]),
      ['keys', null],
    ]);
    expect(kept.entries.find(({ result }) => result === 'ok')?.caller).toEqual(cli);
  });
});
