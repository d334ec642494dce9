/** Past sessions that a program resumes: from then on Drover manages them. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import type { Resumed } from '../../src/contract/api.ts';
import { processStart } from '../../src/platform/processes.ts';
import { edges } from '../rig/cli.ts';
import { hubOf } from '../rig/hub.ts';
import { createPastSession, runningProcesses } from '../rig/past.ts';
import { world } from '../rig/story.ts';

describe.each(edges)('Claude Code %s', version => {
  test('a past session that a program resumes is managed: messaged, kept over a restart, stopped', async () => {
    const opened = await world({ version });
    const id = await createPastSession(opened);
    const first = await hubOf(opened);
    const refused = await first.create({ session_id: id });
    expect([refused.status, refused.body.error?.hint]).toEqual([
      409,
      expect.stringContaining('drover resume'),
    ]);
    const resumed = await first.ask<Resumed>('POST', `/sessions/${id}/resume`);
    expect([resumed.status, resumed.body]).toMatchObject([200, { id, dir: opened.dir() }]);
    // At once: it waits until there is a prompt line.
    const said = await first.send(id, { text: 'SAY two', wait: 'answered' });
    expect([said.status, said.body]).toMatchObject([200, { status: 'answered', answer: 'two' }]);
    expect(await first.read(id)).toMatchObject({ managed: true, hooks: 'live', approvals: 'held' });
    expect((await first.ask('POST', `/sessions/${id}/resume`)).status).toBe(409);
    await first.kill9();

    const second = await hubOf(opened);
    const { pid } = await second.is(id, ({ state }) => state === 'waiting');
    expect((await second.send(id, { text: 'SAY three', wait: 'answered' })).body.answer).toBe('three');
    // A fork belongs to the hub too, under an id that is returned.
    const fork = await second.ask<Resumed>('POST', `/sessions/${id}/resume`, { fork: true });
    const copy = fork.body.copy ?? '';
    expect((await second.send(copy, { text: 'SAY four', wait: 'answered' })).body.answer).toBe('four');
    expect(runningProcesses(opened, copy)).toHaveLength(1);
    expect(await second.read(id)).toMatchObject({ pid, managed: true, state: 'waiting', next: null });
    // No force is needed: the hub started it. The fork continues.
    expect((await second.ask('DELETE', `/sessions/${id}`)).body).toMatchObject({ state: 'ended' });
    expect(processStart(pid ?? 0)).toBeNull();
    expect(readdirSync(join(opened.droverHome, 'managed', id)).sort()).toEqual([
      'resume.json',
      'settings.json',
    ]);
    // One of a session that has ended leaves it so.
    const late =
      (await second.ask<Resumed>('POST', `/sessions/${id}/resume`, { fork: true })).body.copy ?? '';
    expect((await second.send(late, { text: 'SAY five', wait: 'answered' })).body.answer).toBe('five');
    expect(await second.read(id)).toMatchObject({ state: 'ended', next: null });
    const live = await second.read(copy);
    expect(live).toMatchObject({ managed: true, state: 'waiting' });

    // A daemon that is gone is started for it, so no session of the hub keeps running.
    await second.kill9();
    const down = await opened.drover('down');
    expect([down.code, down.stdout, down.stderr]).toEqual([
      0,
      expect.stringContaining('Stopped'),
      expect.stringContaining('Starting the daemon'),
    ]);
    for (const one of [copy, late]) {
      expect(down.stderr).toContain(`${shortId(one)} stopped`);
      expect(runningProcesses(opened, one)).toEqual([]);
    }
    expect(processStart(live.pid ?? 0)).toBeNull();
    expect((await opened.run('tmux', ['-S', opened.socket, 'ls'])).stdout).not.toContain('claude-');
    expect(await opened.drover('down')).toEqual({ code: 0, stdout: 'Not running\n', stderr: '' });
    expect(existsSync(join(opened.droverHome, 'managed', copy, 'start.sh'))).toBe(false);
  });

  test('a cleared conversation is resumed beside its successor, and each ends by itself', async () => {
    const opened = await world({ version });
    const { create, send, ask, is, read } = await hubOf(opened);
    const { body: session } = await create();
    await send(session.id, { text: 'SAY one', wait: 'answered' });
    await send(session.id, { text: '/clear', as: 'command', wait: 'submitted' });
    const next = String((await is(session.id, one => one.next !== null && one.state === 'ended')).next);
    expect((await ask('POST', `/sessions/${session.id}/resume`)).status).toBe(200);
    expect((await send(session.id, { text: 'SAY two', wait: 'answered' })).body.answer).toBe('two');
    expect((await send(next, { text: 'SAY three', wait: 'answered' })).body.answer).toBe('three');
    const [old, young] = [await read(session.id), await read(next)];
    expect(old.pane?.session).toBe(young.pane?.session);
    expect([old.managed, young.managed, old.pid === young.pid]).toEqual([true, true, false]);
    expect((await ask('DELETE', `/sessions/${session.id}`)).body).toMatchObject({ state: 'ended' });
    expect((await send(next, { text: 'SAY four', wait: 'answered' })).body.answer).toBe('four');
    expect((await ask('DELETE', `/sessions/${next}`)).body).toMatchObject({ state: 'ended' });
    expect((await opened.run('tmux', ['-S', opened.socket, 'ls'])).stdout).not.toContain('claude-');
  });
});
