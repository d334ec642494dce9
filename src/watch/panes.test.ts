/** Panes of a real tmux server. */
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../clock.ts';
import { descendants, hasEnvironments } from '../platform/processes.ts';
import type { Draft } from '../contract/event.ts';
import { emptyMemory, type Folded } from '../session/memory.ts';
import { listPanes, listOwnSockets } from '../tmux/server/panes.ts';
import { tmux } from '../tmux/server/run.ts';
import { Panes } from './panes.ts';
import { waitFor } from '../testing/wait-for.ts';

const screens = new URL('../../test/screens/', import.meta.url).pathname;

/** Memory of a session that has sent a hook. */
const memory = { ...emptyMemory(0), hooked: 1 };

const setUp = async () => {
  const root = mkdtempSync(join(tmpdir(), 'du-'));
  const folder = join(root, `tmux-${process.getuid?.() ?? 0}`);
  const socket = join(folder, 'default');
  const home = join(root, 'home');
  const dir = join(home, '.claude');
  mkdirSync(folder, { mode: 0o700 });
  mkdirSync(join(dir, 'sessions'), { recursive: true });
  const binary = join(root, 'claude');
  copyFileSync('/bin/sleep', binary);
  const other = join(folder, 'other');
  onTestFinished(async () => {
    for (const server of [socket, other]) await tmux(server, ['kill-server']);
    rmSync(root, { recursive: true, force: true });
  });
  const live: Folded[] = [];
  const drafts: Draft[] = [];
  const panes = new Panes(
    { TMUX_TMPDIR: root },
    () => live,
    () => [dir],
    taken => drafts.push(...taken),
    systemClock,
    (message, error) => {
      throw new Error(message, { cause: error });
    },
  );
  const open = async (name: string, command: string, on = socket, user = home): Promise<string> => {
    const args = ['-f', '/dev/null', 'new-session', '-d', '-P', '-F', '#{pane_id}', '-s', name];
    const words = [...args, '-x', '200', '-y', '50', 'sh', '-c', command];
    const { ok, stdout, error } = await tmux(on, words, { env: { HOME: user } });
    if (!ok) throw new Error(error ?? '');
    return stdout.trim();
  };
  /** A process called claude, below a shell, that shows a screen. */
  const cli = (screen: string, user = home): string => {
    return `cat ${screens}${screen}; HOME=${user} PWD=/w ${binary} 60; exec sleep 60`;
  };
  const payloads = () => drafts.map(({ raw }) => JSON.parse(Buffer.from(raw).toString()) as object);
  return { root, socket, other, dir, live, drafts, panes, open, cli, payloads };
};

test('lists all panes in one call, with odd names; a missing server is not an error', async () => {
  const { socket, root, open } = await setUp();
  expect(await listPanes(socket)).toBeNull();
  expect(listOwnSockets({ TMUX_TMPDIR: root })).toEqual([]);
  const pane = await open('a b', 'exec sleep 60');
  await tmux(socket, ['rename-window', '-t', pane, 'tab\tand ünï']);
  const folder = join(root, 'tab\tand\nnewline');
  mkdirSync(folder);
  await tmux(socket, ['split-window', '-t', pane, '-c', folder, 'exec sleep 60']);
  await tmux(socket, ['link-window', '-s', pane, '-t', 'a b:7']);
  const panes = await listPanes(socket);
  expect(panes?.map(({ id }) => id)).toEqual(['%0', '%1']);
  expect(panes?.[0]).toMatchObject({ socket, session: 'a b', dead: false });
  await waitFor(async () =>
    expect((await listPanes(socket))?.[1]?.at.cwd).toBe(join(root, 'tab?and?newline')),
  );
  expect(listOwnSockets({ TMUX_TMPDIR: root })).toEqual([socket]);
});

test('reports the names of a session’s pane once, and again when they change', async () => {
  const { socket, live, panes, open, payloads } = await setUp();
  const id = await open('one', 'exec sleep 60');
  const [seen] = (await listPanes(socket)) ?? [];
  const unseen = { pid: null, session: null, window: null, windowIndex: null };
  const pane = { socket, serverPid: seen?.serverPid ?? 0, id, ...unseen };
  const session = { id: 'a', pid: 1, pane, headless: false, memory } as unknown as Folded;
  live.push(session);
  await panes.poll();
  expect(payloads()).toMatchObject([
    { session_id: 'a', session: 'one', window_index: 0, pane_pid: seen?.pid },
  ]);
  live[0] = {
    ...session,
    pane: { ...pane, pid: seen?.pid ?? 0, session: 'one', window: seen?.window ?? '', windowIndex: 0 },
  };
  await panes.poll();
  expect(payloads()).toHaveLength(1);
  await tmux(socket, ['rename-session', '-t', 'one', 'two']);
  await panes.poll();
  expect(payloads()[1]).toMatchObject({ session: 'two' });
});

test('reports a pane of a former server as gone', async () => {
  const { socket, live, panes, open, drafts } = await setUp();
  const id = await open('one', 'exec sleep 60');
  const pane = { socket, serverPid: 1, id, pid: 2, session: 'one', window: 'w' };
  live.push({ id: 'no-pid', pid: null, pane, memory } as unknown as Folded);
  live.push({ id: 'swept', pid: 1, pane, memory } as unknown as Folded);
  await panes.poll();
  expect(drafts.map(({ name, sessionId }) => [name, sessionId])).toEqual([['PaneGone', 'no-pid']]);
});

test('reports a start-up dialog once, also below a shell', async () => {
  const { socket, panes, open, cli, drafts, payloads } = await setUp();
  const id = await open('one', cli('trust-2.1.325.txt'));
  await vi.waitFor(async () => {
    await panes.poll();
    expect(drafts).toHaveLength(1);
  }, 5_000);
  const cwd = hasEnvironments ? '/w' : (expect.any(String) as string);
  expect(payloads()[0]).toMatchObject({ message: 'trust this folder?', cwd });
  expect(drafts[0]).toMatchObject({ name: 'Dialog', context: { socket, pane: id, entrypoint: 'cli' } });
  await panes.poll();
  expect(drafts).toHaveLength(1);
});

test('reports the dialog of a session whose file only says that one is open, but not a menu that a person opened', async () => {
  const { socket, live, panes, open, cli, drafts, payloads } = await setUp();
  const evidence = { source: 'file', name: 'FileStatus', seq: 1, at: 1 } as const;
  const file = { status: 'waiting', waitingFor: 'dialog open', evidence, lag: 0 };
  const show = async (screen: string, name: string) => {
    const id = await open(name, cli(screen));
    const pane = { socket, serverPid: null, id, pid: null, session: null, window: null, windowIndex: null };
    live.push({
      id: name,
      pid: 1,
      cwd: '/w',
      pane,
      headless: false,
      reason: 'dialog',
      requests: [],
      memory: { ...memory, file },
    } as unknown as Folded);
  };
  await show('fullscreen-2.1.325.txt', 'asks');
  await show('model-2.1.325.txt', 'menu');
  const dialogs = () => payloads().filter((_, n) => drafts[n]?.name === 'Dialog');
  await vi.waitFor(async () => {
    await panes.poll();
    expect(dialogs().length).toBeGreaterThan(0);
  }, 5_000);
  expect(dialogs()).toContainEqual(
    expect.objectContaining({ session_id: 'asks', message: 'try the fullscreen renderer?', cwd: '/w' }),
  );
  expect(dialogs()).not.toContainEqual(expect.objectContaining({ session_id: 'menu' }));
});

test('ignores a claude of another home, or one with a session file', async () => {
  const { dir, root, socket, other, panes, open, cli, drafts } = await setUp();
  const elsewhere = join(root, 'elsewhere');
  // Where the platform shows no environments, that of the tmux server counts.
  const stranger = hasEnvironments ? socket : other;
  await open('stranger', cli('trust-2.1.325.txt', elsewhere), stranger, elsewhere);
  await open('up', cli('trust-2.1.325.txt'));
  await vi.waitFor(async () => {
    await panes.poll();
    expect(drafts).toHaveLength(1);
  }, 5_000);
  writeFileSync(join(dir, 'sessions', `${drafts[0]?.context.pid}.json`), '{}');
  drafts.length = 0;
  expect(await panes.poll()).toBe(false);
  expect(drafts).toEqual([]);
});

test('polls again soon while a start shows nothing yet', async () => {
  const { panes, open, cli, drafts } = await setUp();
  await open('one', cli('../README.md').replace('cat ', ': '));
  await vi.waitFor(async () => expect(await panes.poll()).toBe(true), 5_000);
  expect(drafts).toEqual([]);
});

test('a pane that a posted hook named by its id is accepted where the process of the session runs below it, and nowhere else', async () => {
  const { root, socket, live, drafts, panes, open } = await setUp();
  const other = join(root, `tmux-${process.getuid?.() ?? 0}`, 'another');
  onTestFinished(async () => void (await tmux(other, ['kill-server'])));
  await tmux(other, ['-f', '/dev/null', 'new-session', '-d', 'sleep 60']);
  const id = await open('one', 'sleep 60; true');
  await open('two', 'exec sleep 60');
  const shell = (await listPanes(socket))?.[0];
  expect((await listPanes(other))?.map(pane => pane.id)).toEqual([id]);
  const [pid = 0] = await waitFor(() => {
    const found = descendants(shell?.pid ?? 0);
    expect(found).toHaveLength(1);
    return found;
  });
  const file = { status: 'idle' };
  const session = (more: object, hints: object) =>
    ({
      id: 'a',
      pid,
      pane: null,
      host: null,
      origin: null,
      memory: { ...memory, file, ...hints },
      ...more,
    }) as unknown as Folded;
  // Not below that pane; no session file; the report of another host; no such pane.
  live.push(session({ pid: process.pid }, { hintPane: id }));
  live.push(session({}, { hintPane: '%1' }));
  live.push(session({}, { hintPane: id, file: null }));
  live.push(session({ host: 'devbox' }, { hintPane: id }));
  live.push(session({ origin: 'unverified' }, { hintPane: id }));
  live.push(session({}, { hintPane: '%99' }));
  await panes.poll();
  expect(drafts).toEqual([]);
  live.push(session({ id: 'b' }, { hintPane: id }));
  await panes.poll();
  expect(drafts).toMatchObject([
    {
      source: 'sweep',
      name: 'PaneFound',
      sessionId: 'b',
      context: { socket, serverPid: shell?.serverPid, pane: id },
    },
  ]);
});
