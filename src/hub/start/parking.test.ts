/** Parks a session whose process is real, and starts it again. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../clock.ts';
import { processStart } from '../../platform/processes.ts';
import { launchArguments } from '../../resume/launch-arguments.ts';
import type { Folded } from '../../session/memory.ts';
import { ownEvent } from '../../session/own-event.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import type { Screen } from '../menu/screen.ts';
import { Parking, type ParkingDeps } from './parking.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const empty: Screen = { seen: {} as Screen['seen'], menu: null, prompt: { draft: '' }, text: '' };

const setUp = async (deps: Partial<ParkingDeps> = {}, script = 'exec sleep 60') => {
  const child = spawn('sh', ['-c', `echo up; ${script}`], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const { loop, paths } = await openPipeline();
  const stopConfirming = loop.startConfirming(() => Promise.resolve());
  onTestFinished(stopConfirming);
  const pid = child.pid as number;
  const context = { pid, pane: '%1', socket: '/nowhere', serverPid: 7 };
  const report = (name: string, fields = {}) => loop.append([{ draft: hookDraft(name, fields, context) }]);
  await report('SessionStart', { source: 'startup', permission_mode: 'plan' });
  await report('UserPromptSubmit');
  const parking: Parking = new Parking({
    loop,
    clock: systemClock,
    paths,
    reserve: () => Promise.resolve(() => {}),
    hasMessages: () => false,
    hasTranscript: () => true,
    resume: () => report('SessionStart', { source: 'resume' }),
    screen: () => Promise.resolve(empty),
    ...deps,
  });
  loop.addViews([parking]);
  const session = () => loop.sessionIndex.get(id) as Folded;
  const stops = async (fields = {}) => {
    await report('Stop', fields);
    await loop.until(() => session().state !== 'working' || undefined, { timeout: 5_000 });
  };
  const record = (name: string, fields: object) =>
    loop.append([{ draft: ownEvent(name, id, Date.now(), fields) }]);
  return { report, stops, session, parking, pid, paths, record };
};

test('an idle session is ended and stays parked until it is started again', async () => {
  const { stops, session, parking, pid, paths } = await setUp();
  await stops();
  expect(await parking.park(session())).toMatchObject({ state: 'ended', parked: true, memoryBytes: null });
  expect(processStart(pid)).toBeNull();
  expect(launchArguments(paths, id)).toEqual(['--permission-mode', 'plan']);
  const [one, two] = await Promise.all([parking.unpark(session()), parking.unpark(session())]);
  expect([one.state, two.state, session().parked]).toEqual(['ready', 'ready', false]);
  expect(launchArguments(paths, id)).toEqual([]);
});

test('the arguments are kept until the session has reported in', async () => {
  const { stops, session, parking, paths, report, record } = await setUp();
  await stops();
  await parking.park(session());
  await record('Launching', { socket: '/nowhere', tmux: 'work', again: true });
  expect([session().parked, launchArguments(paths, id)]).toEqual([false, ['--permission-mode', 'plan']]);
  await record('LaunchFailed', { message: 'tmux is gone' });
  expect([session().parked, launchArguments(paths, id)]).toEqual([true, ['--permission-mode', 'plan']]);
  await report('SessionStart', { source: 'resume' });
  expect([session().parked, launchArguments(paths, id)]).toEqual([false, []]);
});

test.each<[string, Partial<Screen>]>([
  [
    'a menu is open',
    { menu: { title: 'Model', options: [], text: '', tabs: [] } as unknown as Screen['menu'] },
  ],
  ['there is a draft in its prompt line', { prompt: { draft: 'half a' } }],
  ['its screen does not show the prompt line', { prompt: null }],
])('nothing is ended while %s', async (why, screen) => {
  const { stops, session, parking, pid } = await setUp({
    screen: () => Promise.resolve({ ...empty, ...screen }),
  });
  await stops();
  await expect(parking.park(session())).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining(why),
  });
  expect(processStart(pid)).not.toBeNull();
});

test('a session that works, asks or has tasks is not parked', async () => {
  const { report, stops, session, parking, pid } = await setUp();
  await expect(parking.park(session())).rejects.toThrow('it is working');
  await report('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } });
  await expect(parking.park(session())).rejects.toThrow(/it is working|a dialog is open/);
  await stops({ background_tasks: [{ type: 'shell', status: 'running' }] });
  await expect(parking.park(session())).rejects.toThrow(/background/);
  expect(processStart(pid)).not.toBeNull();
});

test('messages that wait and a missing transcript are reasons not to park', async () => {
  const busy = await setUp({ hasMessages: () => true });
  await busy.stops();
  await expect(busy.parking.park(busy.session())).rejects.toThrow('a message waits for it');
  const typed = await setUp({ reserve: () => Promise.resolve(null) });
  await typed.stops();
  await expect(typed.parking.park(typed.session())).rejects.toThrow('a message is being typed');
  const bare = await setUp({ hasTranscript: () => false });
  await bare.stops();
  await expect(bare.parking.park(bare.session())).rejects.toThrow('no transcript');
});
