/** How sessions end and start again: signals, `--resume`, forks. And the environment of a hook. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../rig/within.ts';
import { sorted } from '../facts.ts';
import { labelsOf, menuIn, type Probe } from '../probe.ts';
import { quiet } from './keys.ts';
import { hasFile } from './session.ts';

export const lives = async (probe: Probe): Promise<void> => {
  const { world, hooks, fact } = probe;
  const names = join(world.root, 'names');
  const recordNames = `env | sed 's/=.*//' | grep -E '^(CLAUDE|TMUX|AI_AGENT)' > '${names}'`;
  const first = await world.claude({ prompt: 'SAY one', settings: startHook(recordNames) });
  const { sessionId, pid } = await first.file(({ status }) => status === 'idle');
  await hooks.saw(({ name, sessionId: id }) => name === 'Stop' && id === sessionId);
  fact('hooks.environment', sorted((await readFile(names, 'utf8')).trim().split('\n')));
  probe.fired();
  process.kill(pid, 'SIGTERM');
  await until(
    10_000,
    () => 'SIGTERM leaves its session file',
    () => (hasFile(world.home, pid) ? undefined : true),
  );
  fact('sigterm.fires', sorted(await probe.firedAfterPause()));

  const again = await world.claude({ args: ['--resume', sessionId] });
  await again.ready();
  const resumed = await again.file(({ status }) => status === 'idle');
  const start = await hooks.saw(
    ({ name, payload }) => name === 'SessionStart' && payload.source === 'resume',
  );
  fact('resume.keepsId', resumed.sessionId === sessionId && start.sessionId === sessionId);
  probe.fired();
  process.kill(resumed.pid, 'SIGKILL');
  fact('sigkill.fires', sorted(await probe.firedAfterPause()));
  fact('sigkill.leavesFile', hasFile(world.home, resumed.pid));

  const fork = await world.claude({ prompt: 'SAY two', args: ['--resume', sessionId, '--fork-session'] });
  const stop = await hooks.saw(
    ({ name, payload }) => name === 'Stop' && payload.last_assistant_message === 'two',
  );
  const forkStart = hooks
    .events()
    .findLast(({ name, payload }) => name === 'SessionStart' && payload.source === 'resume');
  fact('fork.newId', stop.sessionId !== sessionId);
  fact('fork.startCarriesOldId', forkStart?.sessionId === sessionId);
  process.kill(await fork.pid(), 'SIGKILL');
  await plan(probe);
};

/** The plan dialog, and whether a bare `allow` from a hook closes it. Then a permission that a hook allows. */
const plan = async (probe: Probe): Promise<void> => {
  const { world, fact } = probe;
  const planAnswer = join(world.root, 'plan-answer');
  const seat = await world.claude({
    prompt: 'PLAN',
    permissionMode: 'plan',
    settings: holdUntil(planAnswer),
  });
  fact('dialogs.plan', labelsOf(await menuIn(seat)));
  await quiet();
  await writeFile(planAnswer, decision('PermissionRequest', { behavior: 'allow' }));
  const isLeft = seat
    .file(({ status }) => status !== 'waiting', 4_000)
    .then(
      () => true,
      () => false,
    );
  fact('hookAnswer.bareAllowClosesPlan', await isLeft);
  process.kill(await seat.pid(), 'SIGKILL');

  const answer = join(world.root, 'answer');
  const other = await world.claude({ prompt: 'RUN touch made-by-hook', settings: holdUntil(answer) });
  await menuIn(other);
  await writeFile(answer, decision('PermissionRequest', { behavior: 'allow' }));
  const screen = await other.sees(/by PermissionRequest hook/, 5_000).catch(() => '');
  fact('hookAnswer.allowSays', /\w+ by PermissionRequest hook/.exec(screen)?.[0] ?? '');
  await other.file(({ status }) => status === 'idle');
  process.kill(await other.pid(), 'SIGKILL');
  await stopBlock(probe);
};

/** A PermissionRequest hook that waits for a file and answers with its text. */
const holdUntil = (file: string): object => {
  const command = `until [ -s '${file}' ]; do sleep 0.1; done; cat '${file}'`;
  return { hooks: { PermissionRequest: [{ hooks: [{ type: 'command', command, timeout: 60 }] }] } };
};

/** A Stop hook that answers `block` once: the model continues, and the next Stop says so. */
const stopBlock = async ({ world, hooks, fact }: Probe): Promise<void> => {
  const once = join(world.root, 'blocked');
  const block = `[ -e '${once}' ] || { touch '${once}'; echo '{"decision":"block","reason":"SAY more"}'; }`;
  const settings = { hooks: { Stop: [{ hooks: [{ type: 'command', command: block }] }] } };
  const seat = await world.claude({ prompt: 'SAY first', settings });
  await seat.file(({ status }) => status === 'idle');
  const second = await hooks
    .saw(({ name, payload }) => name === 'Stop' && payload.stop_hook_active === true, 8_000)
    .catch(() => undefined);
  fact('stopBlock.setsStopHookActive', second !== undefined);
  process.kill(await seat.pid(), 'SIGKILL');
};

const startHook = (command: string): object => ({
  hooks: { SessionStart: [{ hooks: [{ type: 'command', command }] }] },
});

const decision = (hookEventName: string, answer: object): string =>
  JSON.stringify({ hookSpecificOutput: { hookEventName, decision: answer } });
