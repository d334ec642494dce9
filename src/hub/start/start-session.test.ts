import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../clock.ts';
import { CreateSession } from '../../contract/hub.ts';
import { launchEvents } from '../../session/launch.ts';
import type { Folded } from '../../session/memory.ts';
import { hookDraft, openPipeline, type Pipeline } from '../../testing/pipeline.ts';
import { tempHome } from '../../testing/home.ts';
import { tmux } from '../../tmux/server/run.ts';
import { ManagedSessions } from './managed-sessions.ts';
import { waitFor } from '../../testing/wait-for.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';

/** Opens daemons of one home, one after the other, on their own tmux server. */
const setUp = () => {
  const paths = tempHome();
  const socket = join(paths.home, 's');
  onTestFinished(async () => void (await tmux(socket, ['kill-server'])));
  const cli = join(paths.home, 'claude');
  writeFileSync(cli, '#!/bin/sh\nsleep 60\n', { mode: 0o755 });
  const input = CreateSession.parse({ session_id: id, cwd: '/', name: 'nightly', approvals: 'held' });
  const daemon = async () => {
    const pipeline = await openPipeline(paths);
    const { loop, errors } = pipeline;
    const sessions = new ManagedSessions({
      paths,
      env: { PATH: process.env.PATH },
      variables: { ANTHROPIC_API_KEY: 'sk-secret' },
      loop,
      clock: systemClock,
      findCli: () => Promise.resolve({ path: cli, real: cli, version: null }),
      socket,
      dirs: () => [],
      projectDir: paths.home,
      onError: (message, error) => void errors.push(`${message}: ${String(error)}`),
    });
    return { ...pipeline, sessions, session: () => loop.sessionIndex.get(id) as Folded };
  };
  const panes = async () =>
    (await tmux(socket, ['list-panes', '-a', '-F', '#{session_name} #{pane_pid}'])).stdout
      .split('\n')
      .filter(Boolean);
  // A past session of a person that a program resumes.
  const past = { id, dir: '/', argv: [cli, '--resume', id] };
  return { paths, socket, input, past, daemon, panes };
};

/** Makes the daemon fail as if it were killed right before it logs this event. */
const dieBefore = ({ loop }: Pipeline, name: string): void => {
  const append = loop.append.bind(loop);
  vi.spyOn(loop, 'append').mockImplementation(deliveries =>
    deliveries.some(({ draft }) => draft.name === name)
      ? Promise.reject(new Error('killed'))
      : append(deliveries),
  );
};

test('the intention is logged before tmux does anything', async () => {
  const { input, daemon, panes } = setUp();
  const first = await daemon();
  dieBefore(first, launchEvents.intended);
  await expect(first.sessions.create(input, 'k')).rejects.toThrow('killed');
  expect([await panes(), first.session()]).toEqual([[], undefined]);
});

test('after a kill between the start and its record, the next daemon manages the session and starts nothing', async () => {
  const { input, daemon, panes } = setUp();
  const first = await daemon();
  dieBefore(first, launchEvents.done);
  await expect(first.sessions.create(input, 'k')).rejects.toThrow('killed');
  expect(await panes()).toHaveLength(1);
  await first.close();

  const second = await daemon();
  await second.sessions.recoverStarts();
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
  expect(await second.sessions.create(input, 'k')).toMatchObject({ fresh: false, folded: { pid } });
  await expect(second.sessions.create(input, 'other')).rejects.toThrow('already');
  expect(await panes()).toEqual([pane]);
});

test('a retry during recovery waits for it, and events of the CLI meanwhile are kept', async () => {
  const { input, daemon, panes } = setUp();
  const first = await daemon();
  dieBefore(first, launchEvents.done);
  await expect(first.sessions.create(input, 'k')).rejects.toThrow('killed');
  await first.close();

  const second = await daemon();
  await second.loop.append([
    { draft: hookDraft('SessionStart', { session_id: id, cwd: '/' }) },
    { draft: hookDraft('UserPromptSubmit', { session_id: id, prompt: 'hello' }) },
  ]);
  const [one, two] = await Promise.all([
    second.sessions.create(input, 'k'),
    second.sessions.create(input, 'k'),
  ]);
  expect([one.fresh, two.fresh]).toEqual([false, false]);
  expect(second.session()).toMatchObject({ state: 'working', managed: true, approvals: 'held' });
  expect(second.session().pid).not.toBeNull();
  expect(await panes()).toHaveLength(1);
});

test('after a kill before the start, the next daemon reports it, and the same request starts the session', async () => {
  const { paths, socket, input, daemon, panes } = setUp();
  // Another tmux session of this name is not mistaken for it.
  await tmux(socket, ['new-session', '-d', '-s', 'claude-aaaaaaaa', 'sleep 60']);
  const first = await daemon();
  dieBefore(first, launchEvents.failed);
  await expect(first.sessions.create(input, 'k')).rejects.toThrow('killed');
  expect(first.session()).toMatchObject({ state: 'ready', managed: true, pid: null, pane: null });
  await first.close();

  const second = await daemon();
  await second.sessions.recoverStarts();
  expect(second.session()).toMatchObject({
    state: 'ended',
    reason: 'lost',
    evidence: { source: 'drover', name: 'LaunchFailed' },
    detail: { line: expect.stringContaining('no tmux session claude-aaaaaaaa') as string },
  });
  expect(existsSync(join(paths.managed, id))).toBe(false);
  await tmux(socket, ['kill-session', '-t', '=claude-aaaaaaaa']);
  const again = await second.sessions.create(input, 'k');
  expect(again).toMatchObject({
    fresh: true,
    folded: { state: 'ready', managed: true, evidence: { name: 'Launching' }, memory: { launchKey: 'k' } },
  });
  expect(await panes()).toHaveLength(1);
});

test('a name that tmux rejects ends the session with the reason, and its id may be used again', async () => {
  const { paths, socket, input, daemon } = setUp();
  await tmux(socket, ['new-session', '-d', '-s', 'claude-aaaaaaaa', 'sleep 60']);
  const { sessions, session } = await daemon();
  for (const key of ['k', null])
    await expect(sessions.create(input, key)).rejects.toThrow(
      'A tmux session claude-aaaaaaaa already exists.',
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

test('a resumed session has our hooks and is managed, also for the next daemon', async () => {
  const { paths, socket, past, daemon, panes } = setUp();
  const first = await daemon();
  await first.loop.append(persons);
  dieBefore(first, launchEvents.done);
  const place = { socket, session: 'work', window: null };
  await expect(first.sessions.resume(past, place)).rejects.toThrow('killed');
  expect(await panes()).toHaveLength(1);
  const settings = readFileSync(join(paths.managed, id, 'settings.json'), 'utf8');
  expect(Object.keys((JSON.parse(settings) as { hooks: object }).hooks)).toContain('PermissionRequest');
  await first.close();

  const second = await daemon();
  // Requested again before recovery: it is found and not started twice.
  await expect(second.sessions.resume(past, place)).rejects.toThrow(/is (live|running)/);
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

test('a past session that could not be resumed stays as it was, with its launch files', async () => {
  const { paths, socket, past, daemon } = setUp();
  const first = await daemon();
  await first.loop.append(persons);
  dieBefore(first, launchEvents.failed);
  // A socket path cannot be this long.
  const place = { socket: join(socket.replace(/s$/, 'x'.repeat(120)), 's'), session: 'work', window: null };
  await expect(first.sessions.resume(past, place)).rejects.toThrow('killed');
  expect(first.session()).toMatchObject({ state: 'ready', managed: true });
  await first.close();

  const second = await daemon();
  await second.sessions.recoverStarts();
  expect(second.session()).toMatchObject({
    state: 'ended',
    managed: false,
    detail: { line: expect.stringContaining('before it could resume') as string },
  });
  await expect(second.sessions.resume(past, place)).rejects.toThrow('could not open a pane');
  expect(second.session()).toMatchObject({ state: 'ended', managed: false });
  expect(readdirSync(join(paths.managed, id)).sort()).toEqual(['resume.json', 'settings.json']);
});

test('a session without a directory starts in the one of the config', async () => {
  const { paths, daemon } = setUp();
  const { sessions, session } = await daemon();
  await sessions.create(CreateSession.parse({ session_id: id }), null);
  expect(session()).toMatchObject({ state: 'ready', dir: paths.home });
});

test.each(['create', 'resume'] as const)(
  '%s: a session gets the variables through a file that is gone; tmux, its command lines and the log have none of them',
  async way => {
    const { paths, socket, input, past, daemon } = setUp();
    const seen = join(paths.home, 'seen');
    const script = `printf '%s' "$ANTHROPIC_API_KEY" >${seen}.part\nmv ${seen}.part ${seen}\nsleep 60`;
    writeFileSync(join(paths.home, 'claude'), `#!/bin/sh\n${script}\n`);
    const { sessions, events } = await daemon();
    if (way === 'create') await sessions.create(input, 'k');
    else await sessions.resume(past, { socket, session: 'claude-aaaaaaaa', window: null });
    await waitFor(() => expect(readFileSync(seen, 'utf8')).toBe('sk-secret'));
    const asked = [
      ['show-environment', '-g'],
      ['show-environment', '-t', '=claude-aaaaaaaa:'],
      ['list-panes', '-a', '-F', '#{pane_start_command}'],
    ];
    const outputs = await Promise.all(asked.map(args => tmux(socket, args)));
    expect(outputs.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(JSON.stringify([outputs, events()])).not.toContain('sk-secret');
    const files = readdirSync(join(paths.managed, id));
    expect(files.filter(name => name.endsWith('.env'))).toEqual([]);
  },
);
