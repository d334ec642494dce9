/** Texts that the prompt line does not accept unchanged. */
import type { Seat } from '../../rig/tmux.ts';
import { fieldsOf, sorted } from '../facts.ts';
import type { Probe } from '../probe.ts';

export const prompt = async (probe: Probe): Promise<void> => {
  const { world, fact } = probe;
  probe.fired();
  const seat = await world.claude();
  await seat.ready();
  await probe.next(({ name }) => name === 'SessionStart');
  await probe.firedAfterPause();
  await enter(probe, seat, '!echo from-a-shell');
  await seat.sees(/^\W*from-a-shell/m);
  await seat.file(({ status }) => status === 'idle');
  fact('prompt.exclamationFires', sorted(await probe.firedAfterPause()));
  await seat.ready();
  await enter(probe, seat, '/nosuchcommand');
  fact('prompt.unknownCommandFires', sorted(await probe.firedAfterPause()));
  await seat.ready();
  await seat.type('SAY x\\');
  fact('prompt.backslashFires', sorted(await probe.firedAfterPause()));
  await seat.press('C-c');
  await seat.ready();
  const text = 'SAY a\n  "b" #ünï 日本';
  await seat.type(text);
  const submit = await probe.next(({ name }) => name === 'UserPromptSubmit');
  fact('prompt.pastedVerbatim', submit.payload.prompt === text);
  await seat.file(({ status }) => status === 'idle');
  await background(probe, seat);
  process.kill(await seat.pid(), 'SIGKILL');
};

const enter = async ({ world }: Probe, seat: Seat, text: string): Promise<void> => {
  await world.tmux(['send-keys', '-l', '-t', seat.pane, text]);
  await seat.sees(text.slice(1));
  await seat.press('Enter');
};

/** What Stop says of a command that still runs. */
const background = async (probe: Probe, seat: Seat): Promise<void> => {
  await probe.firedAfterPause();
  await seat.type('BG sleep 100');
  const stop = await probe.next(({ name }) => name === 'Stop');
  const [task] = Array.isArray(stop.payload.background_tasks) ? stop.payload.background_tasks : [];
  probe.fact('background.taskFields', fieldsOf(task));
};
