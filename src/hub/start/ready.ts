/** Waiting until a session that was started can take a prompt, or has said why it cannot. */
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';
import { lastOutputOf } from '../../driver/stop/last-output.ts';
import { promptOf } from '../../driver/input/prompt-input.ts';
import { paneRefOf } from '../target.ts';

/** The session once its prompt line is there, or at a dialog of its start; throws what it said last when it has ended instead. */
export const untilReady = async (
  loop: Loop,
  clock: Clock,
  id: string,
  ms: number = limits.start.ready,
): Promise<Folded> => {
  const deadline = clock.now() + ms;
  for (;;) {
    const session = loop.sessionIndex.get(id);
    if (!session) throw new DroverError('no_session', `${id} is gone.`);
    if (session.state === 'ended')
      throw new DroverError(
        'failed',
        `The session ended as it began: ${(await lastOutput(session)) || 'nothing was left on its screen.'}`,
        'Start `claude` with the same arguments in that folder to see why.',
      );
    if (session.state === 'waiting') return session;
    if (isUp(session) && (await showsPrompt(session))) return loop.sessionIndex.get(id) ?? session;
    if (clock.now() > deadline)
      throw new DroverError(
        'failed',
        `The session was not ready within ${ms / 1_000} s: ${missing(session)}.`,
        '`drover menu <session> snapshot` shows its screen.',
      );
    // Of what is painted nothing tells: it must be looked for.
    await change(loop, id, isUp(session) ? limits.start.readyPoll : deadline - clock.now());
  }
};

/** Its CLI has told of itself: before that there is no prompt line. */
export const isUp = ({ memory }: Folded): boolean => memory.hooked > 0 || memory.file !== null;

const missing = (session: Folded): string =>
  isUp(session) ? 'it runs, and shows no prompt line' : 'nothing has told that it runs';

/** It has a line to type into; one that works, or has worked, has had it. */
const showsPrompt = async (session: Folded): Promise<boolean> => {
  if (session.state !== 'ready' || !session.pane) return true;
  return (await promptOf(paneRefOf(session))) !== null;
};

/** Waits for the next event of this session, or until the time is over. */
const change = async (loop: Loop, id: string, ms: number): Promise<void> => {
  await loop.until(commit => (commit?.event.sessionId === id ? true : undefined), { timeout: ms });
};

const lastOutput = async (session: Folded): Promise<string> => {
  if (!session.pane) return '';
  const rows = await lastOutputOf(paneRefOf(session));
  return rows
    .slice(-5)
    .map(row => row.trim())
    .join(' / ');
};
