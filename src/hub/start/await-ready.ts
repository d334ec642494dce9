/** Waits until a new session can take a prompt. */
import { type Clock, elapsed } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';
import { readLastOutput } from '../../driver/stop/last-output.ts';
import { readPromptLine } from '../../driver/input/prompt-input.ts';
import { paneRefOf } from '../target.ts';

/** Resolves when it shows its prompt line or a start-up dialog. Throws its last output when it has ended instead. */
export const awaitReady = async (
  loop: Loop,
  clock: Clock,
  id: string,
  ms: number = limits.start.ready,
): Promise<Folded> => {
  const deadline = elapsed(clock) + ms;
  for (;;) {
    const session = loop.sessionIndex.get(id);
    if (!session) throw new DroverError('no_session', `${id} is gone.`);
    if (session.state === 'ended')
      throw new DroverError(
        'failed',
        `The session ended during its start: ${(await lastOutput(session)) || 'it printed nothing.'}`,
        'Run `claude` with the same arguments in that folder to see why.',
      );
    if (session.state === 'waiting') return session;
    if (isUp(session) && (await showsPrompt(session))) return loop.sessionIndex.get(id) ?? session;
    if (elapsed(clock) > deadline)
      throw new DroverError(
        'failed',
        `The session was not ready within ${ms / 1_000} s: ${describeMissing(session)}.`,
        '`drover menu <session> snapshot` shows its screen.',
      );
    // Nothing reports what is painted, so the screen is polled.
    await nextEvent(loop, id, isUp(session) ? limits.start.readyPoll : deadline - elapsed(clock));
  }
};

/** Its CLI has reported in by a hook or its session file. Before that there is no prompt line. */
export const isUp = ({ memory }: Folded): boolean => memory.hooked > 0 || memory.file !== null;

const describeMissing = (session: Folded): string =>
  isUp(session) ? 'it runs, but shows no prompt line' : 'nothing shows that it runs';

/** It shows a prompt line. A session that works or has worked has had one. */
const showsPrompt = async (session: Folded): Promise<boolean> => {
  if (session.state !== 'ready' || !session.pane) return true;
  return (await readPromptLine(paneRefOf(session))) !== null;
};

/** Waits for the next event of this session, for a limited time. */
const nextEvent = async (loop: Loop, id: string, ms: number): Promise<void> => {
  await loop.until(commit => (commit?.event.sessionId === id ? true : undefined), { timeout: ms });
};

const lastOutput = async (session: Folded): Promise<string> => {
  if (!session.pane) return '';
  const rows = await readLastOutput(paneRefOf(session));
  return rows
    .slice(-5)
    .map(row => row.trim())
    .join(' / ');
};
