/** Start sessions over HTTP: settings, folder, and errors. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import { processStart } from '../../src/platform/processes.ts';
import type { MenuView } from '../../src/contract/menu.ts';
import { edges, newest } from '../rig/cli.ts';
import { hubOf } from '../rig/hub.ts';
import { world } from '../rig/story.ts';
import { subscribe } from '../rig/sse.ts';
import { until } from '../rig/within.ts';
import { witness } from '../rig/witness.ts';

describe.each(edges)('Claude Code %s', version => {
  test('a session whose start names no permissions has those of the config', async () => {
    const opened = await world({ version });
    const permissions = { allow: ['Read', 'Write', 'Bash'], deny: ['WebFetch'] };
    writeFileSync(join(opened.droverHome, 'config.json'), JSON.stringify({ permissions }));
    const { create, is, ask } = await hubOf(opened);
    const reaches = async (fields: object, reason: string) => {
      const { body } = await create({ session_id: randomUUID(), prompt: 'RUN touch made', ...fields });
      await is(body.id, session => session.reason === reason);
      await ask('DELETE', `/sessions/${body.id}?force=1`);
    };
    await reaches({}, 'stopped');
    expect(existsSync(join(opened.dir(), 'made'))).toBe(true);
    await reaches({ permissions: { allow: [], deny: [] } }, 'permission');
  });

  test('the requested settings apply, also after a resume', async () => {
    const opened = await world({ version });
    const seen = await witness(opened);
    const { create, send, ask, is, url, token } = await hubOf(opened);
    const stream = await subscribe(url, token);
    const hooks = (name: string, id: string) =>
      stream.frames.filter(
        ({ event, data }) =>
          event === 'hook' && data.includes(`"hook_event_name":"${name}"`) && data.includes(id),
      ).length;
    const theirs = join(opened.root, 'theirs.json');
    writeFileSync(theirs, JSON.stringify({ env: { FROM_SETTINGS: 'settings' } }));
    const key = { 'Idempotency-Key': 'start-1' };
    const request = {
      session_id: randomUUID(),
      model: 'claude-test-model',
      env: { FROM_ENV: "it's $(mine)" },
      args: ['--settings', theirs],
      permissions: { allow: ['Bash(touch:*)', 'Bash(printenv:*)'], deny: ['Bash(rm:*)'] },
      inherit_hooks: false,
      prompt: 'RUN touch made && printenv FROM_ENV FROM_SETTINGS',
    };
    const first = await create(request, key);
    expect([first.status, first.body.error]).toEqual([201, undefined]);
    const { id } = first.body;
    // The request is repeated, as after a lost response: the same session, and its prompt once.
    expect((await create(request, key)).body).toMatchObject({ id, pid: first.body.pid });
    expect((await create(request)).status).toBe(409);
    await is(id, ({ state, reason }) => state === 'waiting' && reason === 'stopped');
    expect(existsSync(join(opened.dir(), 'made'))).toBe(true);
    await opened.model.asked(({ body }) => JSON.stringify(body.messages).includes("it's $(mine)\\nsettings"));
    expect([hooks('PermissionRequest', id), hooks('UserPromptSubmit', id)]).toEqual([0, 1]);
    await opened.model.asked(({ body }) => body.model === 'claude-test-model');
    const folder = join(opened.droverHome, 'managed', id);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);

    await ask('DELETE', `/sessions/${id}`);
    expect(readdirSync(folder).sort()).toEqual(['resume.json', 'settings.json']);
    expect((await ask('POST', `/sessions/${id}/resume`)).status).toBe(200);
    await is(id, ({ state, hooks: told }) => state === 'ready' && told === 'live');
    const { body } = await send(id, { text: 'RUN touch again', wait: 'answered' });
    expect(body).toMatchObject({ status: 'answered' });
    expect(existsSync(join(opened.dir(), 'again'))).toBe(true);
    expect(hooks('PermissionRequest', id)).toBe(0);
    // The user's own hook never ran; it does for a session that inherits.
    expect(seen.events()).toEqual([]);
    const { body: other } = await create();
    await send(other.id, { text: 'SAY hello', wait: 'answered' });
    await seen.saw(({ sessionId }) => sessionId === other.id);
    await opened.drover('forget', id);
    expect(existsSync(folder)).toBe(false);
  });

  test('a ready session shows its prompt line and accepts keys at once', async () => {
    const opened = await world({ version });
    const hub = await hubOf(opened);
    const { body: session } = await hub.create();
    const { body } = await hub.ask<MenuView>('GET', `/sessions/${session.id}/menu`);
    expect(body).toMatchObject({ shows: 'prompt', draft: '' });
    const keys = [{ text: 'SAY by keys' }, 'Enter'];
    expect((await hub.ask('POST', `/sessions/${session.id}/keys`, { keys })).status).toBe(200);
    await hub.is(session.id, ({ detail }) => detail?.line === 'by keys');
  });

  test('the trust dialog is shown, and answered only on request', async () => {
    const opened = await world({ version, projects: ['app'] });
    const { create, ask } = await hubOf(opened);
    await mkdir(join(opened.home, 'strange'));
    const shy = await create({ cwd: join(opened.home, 'strange') });
    expect(shy.body).toMatchObject({ state: 'waiting', reason: 'dialog' });
    // Esc would end it.
    expect((await ask('POST', `/sessions/${shy.body.id}/interrupt`)).status).toBe(409);
    // Nothing in the name of a folder is taken for a format of tmux or a word of the shell.
    const odd = join(opened.home, `#(touch ran)#{pid} $(touch ran) 'x'`);
    await mkdir(odd);
    const bold = await create({ cwd: odd, trust: true, prompt: 'SAY hello' });
    expect([bold.status, bold.body.error, bold.body.dir]).toEqual([201, undefined, odd]);
    expect(existsSync(join(odd, 'ran')) || existsSync(join(opened.home, 'ran'))).toBe(false);
  });

  test('a failed start says why each time, and leaves nothing behind', async () => {
    const opened = await world({ version });
    const { create, ask } = await hubOf(opened);
    const failures = await Promise.all(
      Array.from({ length: 4 }, (_, n) => create({ args: [`--no-such-flag-${n}`] })),
    );
    for (const [n, { status, body }] of failures.entries())
      expect([status, body.error?.message]).toEqual([
        500,
        expect.stringMatching(new RegExp(`ended during its start: .*unknown option '--no-such-flag-${n}'`)),
      ]);
    await until(
      5_000,
      () => 'a tmux session stays',
      async () => {
        const { stdout } = await opened.run('tmux', ['-S', opened.socket, 'ls']);
        return stdout.includes('claude-') ? undefined : true;
      },
    );
    // A name that is taken is not touched.
    const id = randomUUID();
    await opened.tmux(['new-session', '-d', '-s', `claude-${shortId(id)}`, 'sleep 1000']);
    const taken = await create({ session_id: id });
    expect([taken.status, taken.body.error?.message]).toEqual([409, expect.stringContaining('tmux session')]);
    const { body: never } = await ask('GET', `/sessions/${id}`);
    expect(never).toMatchObject({ state: 'ended', evidence: { name: 'LaunchFailed' }, pid: null });
    await opened.tmux(['kill-session', '-t', `=claude-${shortId(id)}`]);
    // The server exited with its last session: the next one is started.
    const again = await create({ session_id: id });
    expect([again.status, again.body.error]).toEqual([201, undefined]);
  });
});

test('a CLI that does not exit is killed, and Drover reports the end itself', async () => {
  const opened = await world({ version: newest });
  const deaf = join(opened.root, 'deaf');
  writeFileSync(
    deaf,
    '#!/bin/sh\n[ "$1" = --version ] && echo 2.1.325 && exit\ntrap \'\' TERM HUP\necho deaf now\nsleep 60\n',
    {
      mode: 0o755,
    },
  );
  await mkdir(opened.droverHome, { recursive: true, mode: 0o700 });
  writeFileSync(join(opened.droverHome, 'config.json'), JSON.stringify({ claude: deaf }));
  const { ask, url, token, sees } = await hubOf(opened);
  const { body: session } = await ask('POST', '/sessions', { session_id: randomUUID(), cwd: opened.dir() });
  await sees(session, 'deaf now');
  const stream = await subscribe(url, token, { path: `/sessions/${session.id}/events` });
  const { status, body } = await ask('DELETE', `/sessions/${session.id}`);
  expect([status, body]).toMatchObject([200, { state: 'ended', reason: 'killed' }]);
  expect(processStart(session.pid ?? 0)).toBeNull();
  const end = await stream.next(frame => frame.event === 'end');
  expect(JSON.parse(end.data)).toMatchObject({ reason: 'killed' });
  const told = stream.frames.filter(({ event }) => event === 'state').at(-1);
  expect(JSON.parse(told?.data ?? '{}')).toMatchObject({ sessions: [{ evidence: { name: 'Stopped' } }] });
});
