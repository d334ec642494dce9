/** Typed text reaches the session's own Claude Code unchanged, or nothing: never a shell, never another pane. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Receipt, ReceiptList } from '../../src/contract/hub.ts';
import { versions } from '../rig/cli.ts';
import { type Hub, hubOf } from '../rig/hub.ts';
import { world } from '../rig/story.ts';
import { openLiveness } from '../../src/platform/processes.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

describe.each(versions)('Claude Code %s', version => {
  test('a CLI in a shell gets typed text; after it is suspended, killed or has exited, the shell gets none', async () => {
    const opened = await world({ version });
    await writeFile(join(opened.droverHome, 'config.json'), JSON.stringify({ drive: 'all' }));
    expect((await opened.drover('setup')).code).toBe(0);
    const hub = await hubOf(opened);
    const { id, pane, pid } = await inShell(opened, hub);
    const typed = async (text: string) => {
      for (const action of [{ action: 'type', text }, { action: 'submit' }])
        expect(await hub.ask('POST', `/sessions/${id}/menu`, action)).toMatchObject({ status: 200 });
    };
    // Text that ends in a semicolon, by each way of input.
    expect((await hub.send(id, 'SAY prompt;')).status).toBeLessThan(300);
    await hub.is(id, ({ detail }) => detail?.line === 'prompt;');
    await typed('SAY menu;');
    await hub.is(id, ({ detail }) => detail?.line === 'menu;');
    await hub.ask('POST', `/sessions/${id}/keys`, { keys: [{ text: 'SAY keys;' }, ';', 'Enter'] });
    await hub.is(id, ({ detail }) => detail?.line === 'keys;;');

    // Suspended, the session still counts as alive.
    await opened.tmux(['send-keys', '-t', pane, 'C-z']);
    await shows(opened, pane, /suspended|Stopped/i);
    await reachesNobody(opened, hub, id);
    // A message waits a moment for the terminal.
    const sent = hub.send(id, { text: 'SAY back', wait: 'typed' });
    await until(
      5_000,
      () => 'the message is not queued',
      async () => {
        const { body } = await hub.ask<ReceiptList>('GET', `/sessions/${id}/messages`);
        return body.messages.some(({ status }) => status === 'queued') || undefined;
      },
    );
    await opened.tmux(['send-keys', '-t', pane, 'fg', 'Enter']);
    expect((await sent).body.status).toBe('typed');
    await hub.is(id, ({ detail }) => detail?.line === 'back');

    process.kill(pid, 'SIGKILL');
    await until(
      5_000,
      () => 'it does not go',
      () => (openLiveness(pid)?.isRunning() ? undefined : true),
    );
    await reachesNobody(opened, hub, id);

    const second = await inShell(opened, hub);
    await opened.tmux(['send-keys', '-t', second.pane, '-l', '/exit']);
    await shows(opened, second.pane, /\/exit/);
    await opened.tmux(['send-keys', '-t', second.pane, 'Enter']);
    await hub.is(second.id, ({ state }) => state === 'ended');
    await reachesNobody(opened, hub, second.id);
  });

  test('after a restart of the tmux server, a pane with the same id gets nothing', async () => {
    const opened = await world({ version });
    await writeFile(join(opened.droverHome, 'config.json'), JSON.stringify({ drive: 'all' }));
    expect((await opened.drover('setup')).code).toBe(0);
    const hub = await hubOf(opened);
    const { id, pane } = await inShell(opened, hub);
    await opened.tmux(['kill-server']);
    await until(
      5_000,
      () => 'the server does not go',
      () =>
        opened.tmux(['list-panes']).then(
          () => undefined,
          () => true,
        ),
    );
    expect(await shell(opened)).toBe(pane);
    await reachesNobody(opened, hub, id);
  });
});

/** An interactive shell in a pane. */
const shell = async (opened: World): Promise<string> => {
  const made = ['-d', '-P', '-F', '#{pane_id}', '-c', opened.dir(), '-x', '160', '-y', '40'];
  const bash = ['env', 'PS1=shell> ', 'bash', '--norc', '--noprofile', '-i'];
  const pane = (await opened.tmux(['new-session', ...made, ...bash])).trim();
  await shows(opened, pane, /shell>/);
  return pane;
};

/** The CLI as a person starts it, in an interactive shell. */
const inShell = async (opened: World, hub: Hub) => {
  const pane = await shell(opened);
  await opened.tmux(['send-keys', '-t', pane, 'claude --permission-mode default', 'Enter']);
  return until(
    20_000,
    () => 'the session is not seen',
    async () => {
      const { body } = await hub.ask<{
        sessions: { id: string; pid: number; state: string; pane: { id: string } }[];
      }>('GET', '/sessions');
      const found = body.sessions.find(one => one.state !== 'ended' && one.pane?.id === pane && one.pid);
      return found && { id: found.id, pid: found.pid, pane };
    },
  );
};

const shows = (opened: World, pane: string, pattern: RegExp): Promise<string> => {
  let last = '';
  return until(
    10_000,
    () => `${pattern} was not seen:\n${last}`,
    async () => {
      last = await opened.tmux(['capture-pane', '-p', '-t', pane]);
      return pattern.test(last) ? last : undefined;
    },
  );
};

/** A message, a menu and keys are refused, and nothing of them is run or shown. */
const reachesNobody = async (opened: World, hub: Hub, id: string): Promise<void> => {
  const { status, body } = await hub.send(id, 'touch reached-message');
  let events = '';
  if (status < 300)
    await until(
      25_000,
      () => `the message is not refused:\n${events}`,
      async () => {
        if ((await hub.ask<Receipt>('GET', `/messages/${body.id}`)).body.status === 'refused') return true;
        events = (await opened.drover('events', id, '--after', '0')).stdout;
        return undefined;
      },
    );
  else expect(status).toBe(409);
  for (const keys of [[{ text: 'touch reached-keys' }], ['Enter'], ['C-u']])
    expect(await hub.ask('POST', `/sessions/${id}/keys`, { keys })).toMatchObject({
      status: 409,
      body: { error: { code: 'refused' } },
    });
  expect(
    await hub.ask('POST', `/sessions/${id}/menu`, { action: 'type', text: 'touch reached-menu' }),
  ).toMatchObject({ status: 409 });
  const panes = (await opened.tmux(['list-panes', '-a', '-F', '#{pane_id}'])).trim().split('\n');
  for (const pane of panes)
    expect(await opened.tmux(['capture-pane', '-p', '-S', '-', '-t', pane])).not.toContain('reached');
  for (const name of ['message', 'keys', 'menu'])
    expect(existsSync(join(opened.dir(), `reached-${name}`))).toBe(false);
};
