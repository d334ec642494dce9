import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../clock.ts';
import { CreateSession } from '../../contract/hub.ts';
import { launches } from '../../session/launch.ts';
import type { Folded } from '../../session/memory.ts';
import { hookDraft, openPipeline, type Pipeline } from '../../testing/pipeline.ts';
import { tempHome } from '../../testing/home.ts';
import { tmux } from '../../tmux/server/run.ts';
import { Sessions } from './create.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';

/** Daemons of one home, one after the other, on a tmux server of their own. */
const setUp = () => {
  const paths = tempHome();
  const socket = join(paths.home, 's');
  onTestFinished(async () => void (await tmux(socket, ['kill-server'])));
  const cli = join(paths.home, 'claude');
  writeFileSync(cli, '#!/bin/sh\nsleep 60\n', { mode: 0o755 });
  const wish = CreateSession.parse({ session_id: id, cwd: '/', name: 'nightly', approvals: 'held' });
  const daemon = async () => {
    const pipeline = await openPipeline(paths);
    const { loop, errors } = pipeline;
    const sessions = new Sessions({
      paths,
      env: { PATH: process.env.PATH },
      loop,
      clock: systemClock,
      findCli: () => Promise.resolve({ path: cli, real: cli, version: null }),
      socket,
      dirs: () => [],
      onError: (message, error) => void errors.push(`${message}: ${String(error)}`),
    });
    return { ...pipeline, sessions, session: () => loop.sessionIndex.get(id) as Folded };
  };
  const panes = async () =>
    (await tmux(socket, ['list-panes', '-a', '-F', '#{session_name} #{pane_pid}'])).stdout
      .split('\n')
      .filter(Boolean);
  // A past session of a person, as a program wants it taken up again.
  const past = { id, dir: '/', argv: [cli, '--resume', id] };
  return { paths, socket, wish, past, daemon, panes };
};

/** As if the daemon were killed in the moment in which it is about to say this. */
const diesAt = ({ loop }: Pipeline, name: string): void => {
  const take = loop.take.bind(loop);
  vi.spyOn(loop, 'take').mockImplementation(deliveries =>
    deliveries.some(({ draft }) => draft.name === name)
      ? Promise.reject(new Error('killed'))
      : take(deliveries),
  );
};

test('what is started was meant to be: the log says so before tmux does anything', async () => {
  const { wish, daemon, panes } = setUp();
  const first = await daemon();
  diesAt(first, launches.intended);
  await expect(first.sessions.create(wish, 'k')).rejects.toThrow('killed');
  expect([await panes(), first.session()]).toEqual([[], undefined]);
});

test('a daemon that is killed between the start and its word of it: the next one manages what runs, and starts nothing', async () => {
  const { wish, daemon, panes } = setUp();
  const first = await daemon();
  diesAt(first, launches.done);
  await expect(first.sessions.create(wish, 'k')).rejects.toThrow('killed');
  expect(await panes()).toHaveLength(1);
  await first.close();

  const second = await daemon();
  await second.sessions.takeUpAll();
  const [pane = ''] = await panes();
  const pid = Number(pane.split(' ')[1]);
  expect(second.session()).toMatchObject({
    state: 'ready',
    managed: true,
    name: 'nightly',
    approvals: 'held',
    pid,
    pane: { session: 'claude-aaaaaaaa', pid },
    memory: { launching: null },
  });
  expect(await second.sessions.create(wish, 'k')).toMatchObject({ fresh: false, folded: { pid } });
  await expect(second.sessions.create(wish, 'other')).rejects.toThrow('already');
  expect(await panes()).toEqual([pane]);
});

test('a retry that comes before the next daemon has looked waits for it; what the CLI has told meanwhile is kept', async () => {
  const { wish, daemon, panes } = setUp();
  const first = await daemon();
  diesAt(first, launches.done);
  await expect(first.sessions.create(wish, 'k')).rejects.toThrow('killed');
  await first.close();

  const second = await daemon();
  await second.loop.take([
    { draft: hookDraft('SessionStart', { session_id: id, cwd: '/' }) },
    { draft: hookDraft('UserPromptSubmit', { session_id: id, prompt: 'hello' }) },
  ]);
  const [one, two] = await Promise.all([
    second.sessions.create(wish, 'k'),
    second.sessions.create(wish, 'k'),
  ]);
  expect([one.fresh, two.fresh]).toEqual([false, false]);
  expect(second.session()).toMatchObject({ state: 'working', managed: true, approvals: 'held' });
  expect(second.session().pid).not.toBeNull();
  expect(await panes()).toHaveLength(1);
});

test('a daemon that is killed before the start: the next one says so, and the same request starts it', async () => {
  const { paths, socket, wish, daemon, panes } = setUp();
  // A tmux session of this name that is somebody else's is not taken for it.
  await tmux(socket, ['new-session', '-d', '-s', 'claude-aaaaaaaa', 'sleep 60']);
  const first = await daemon();
  diesAt(first, launches.failed);
  await expect(first.sessions.create(wish, 'k')).rejects.toThrow('killed');
  expect(first.session()).toMatchObject({ state: 'ready', managed: true, pid: null, pane: null });
  await first.close();

  const second = await daemon();
  await second.sessions.takeUpAll();
  expect(second.session()).toMatchObject({
    state: 'ended',
    reason: 'lost',
    evidence: { source: 'drover', name: 'LaunchFailed' },
    detail: { line: expect.stringContaining('no tmux session claude-aaaaaaaa') as string },
  });
  expect(existsSync(join(paths.managed, id))).toBe(false);
  await tmux(socket, ['kill-session', '-t', '=claude-aaaaaaaa']);
  const again = await second.sessions.create(wish, 'k');
  expect(again).toMatchObject({
    fresh: true,
    folded: { state: 'ready', managed: true, evidence: { name: 'Launching' }, memory: { launchKey: 'k' } },
  });
  expect(await panes()).toHaveLength(1);
});

test('a name that tmux refuses leaves an end that says why, and an id that may be tried again', async () => {
  const { paths, socket, wish, daemon } = setUp();
  await tmux(socket, ['new-session', '-d', '-s', 'claude-aaaaaaaa', 'sleep 60']);
  const { sessions, session } = await daemon();
  for (const key of ['k', null])
    await expect(sessions.create(wish, key)).rejects.toThrow(
      'There is a tmux session claude-aaaaaaaa already.',
    );
  expect(session()).toMatchObject({
    state: 'ended',
    detail: { line: expect.stringContaining('already') as string },
  });
  expect(readdirSync(paths.managed)).toEqual([]);
});

const persons = [
  { draft: hookDraft('SessionStart', { session_id: id, cwd: '/' }) },
  { draft: hookDraft('SessionEnd', { session_id: id, reason: 'other' }) },
];

test('a past session is taken up again with the hooks of the hub, and is managed; another daemon finds it so', async () => {
  const { paths, socket, past, daemon, panes } = setUp();
  const first = await daemon();
  await first.loop.take(persons);
  diesAt(first, launches.done);
  const place = { socket, session: 'work', window: null };
  await expect(first.sessions.resume(past, place)).rejects.toThrow('killed');
  expect(await panes()).toHaveLength(1);
  const settings = readFileSync(join(paths.managed, id, 'settings.json'), 'utf8');
  expect(Object.keys((JSON.parse(settings) as { hooks: object }).hooks)).toContain('PermissionRequest');
  await first.close();

  const second = await daemon();
  // Asked again before it was looked for: it is found, and not started twice.
  await expect(second.sessions.resume(past, place)).rejects.toThrow('is live');
  const [pane = ''] = await panes();
  const pid = Number(pane.split(' ')[1]);
  expect(second.session()).toMatchObject({
    state: 'ready',
    managed: true,
    pid,
    pane: { session: 'work', pid },
    memory: { launching: null },
  });
  expect(await panes()).toEqual([pane]);
});

test('a past session that was not started again is whose it was, and keeps what it was started with', async () => {
  const { paths, socket, past, daemon } = setUp();
  const first = await daemon();
  await first.loop.take(persons);
  diesAt(first, launches.failed);
  // No socket has so long a name.
  const place = { socket: join(socket.replace(/s$/, 'x'.repeat(120)), 's'), session: 'work', window: null };
  await expect(first.sessions.resume(past, place)).rejects.toThrow('killed');
  expect(first.session()).toMatchObject({ state: 'ready', managed: true });
  await first.close();

  const second = await daemon();
  await second.sessions.takeUpAll();
  expect(second.session()).toMatchObject({
    state: 'ended',
    managed: false,
    detail: { line: expect.stringContaining('about to take it up again') as string },
  });
  await expect(second.sessions.resume(past, place)).rejects.toThrow('could not open a pane');
  expect(second.session()).toMatchObject({ state: 'ended', managed: false });
  expect(readdirSync(join(paths.managed, id)).sort()).toEqual(['resume.json', 'settings.json']);
});
