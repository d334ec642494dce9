/** A home whose path is too long for a socket, and a restart that must fail: nothing hangs, nothing is lost. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import { newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { hooksOf, sessionId } from '../rig/hook.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

test('a DROVER_HOME of 200 characters: commands, hooks and a held request use a socket elsewhere', async () => {
  const opened = await world({ version: newest });
  const home = join(opened.root, 'deep'.repeat(25), 'home'.repeat(20));
  const env = { DROVER_HOME: home };
  const drover = (...words: string[]) => opened.run(process.execPath, [MAIN, ...words], { env });
  opened.closing(async () => void (await drover('down')));
  const hooks = await hooksOf(opened, drover);
  expect((await drover('up')).code).toBe(0);
  const { socket } = JSON.parse((await opened.run('cat', [join(home, 'daemon.json')])).stdout) as {
    socket: string;
  };
  expect(socket).toMatch(/\.sock$/);
  const id = sessionId(1);
  const fire = (hook_event_name: string, more: object = {}) =>
    hooks.fire({ session_id: id, hook_event_name, cwd: opened.dir(), ...more }, { env });
  await fire('SessionStart', { source: 'startup' });
  await fire('UserPromptSubmit', { prompt: 'hello' });
  await until(
    5_000,
    () => 'the session is not listed',
    async () => ((await drover('ls')).stdout.includes(shortId(id)) ? true : undefined),
  );
  // Actions that need a person work only over the socket.
  expect(await drover('hold', id)).toMatchObject({ code: 0 });
  const command = hooks.commands.PermissionRequest ?? '';
  const asked = opened.run('sh', ['-c', command], {
    env: { ...env, CLAUDE_CODE_SESSION_ID: id },
    input: `${JSON.stringify({
      session_id: id,
      hook_event_name: 'PermissionRequest',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
    })}\n`,
  });
  await until(
    10_000,
    () => 'the request is not held',
    async () => ((await drover('show', id)).stdout.includes('approvals held') ? true : undefined),
  );
  const answered = drover('answer', id, 'allow');
  expect((await asked).stdout).toContain('"behavior":"allow"');
  await fire('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } });
  expect((await answered).stdout).toBe('allowed Bash: ls\n');
  expect((await drover('restart')).code).toBe(0);
  expect((await drover('down')).code).toBe(0);
  expect((await opened.run('ls', [socket])).code).not.toBe(0);
});

test('a restart with an invalid config is refused, and the daemon continues', async () => {
  const opened = await world({ version: newest });
  expect((await opened.drover('up')).code).toBe(0);
  opened.closing(async () => void (await opened.drover('down')));
  const before = JSON.parse((await opened.drover('status', '--json')).stdout) as { pid: number };
  await writeFile(join(opened.droverHome, 'config.json'), '{ "order": ');
  const { code, stderr } = await opened.drover('restart');
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining('config.json is not JSON')]);
  expect(JSON.parse((await opened.drover('status', '--json')).stdout)).toMatchObject({
    up: true,
    pid: before.pid,
  });
});
