/** Executes the commands of keys that go beyond the board. */
import type { BoardCommand } from '../client/board.ts';
import { call } from '../client/call.ts';
import { answeredText } from '../client/request-text.ts';
import type { Pane, Session } from '../contract/session.ts';
import type { Env, Paths } from '../paths.ts';
import { tmuxClientOf, attachCommand, jump } from '../tmux/keys/jump.ts';

/** What the board does next. */
export type Outcome =
  | { kind: 'done' }
  | { kind: 'quit' }
  | { kind: 'notice'; text: string }
  /** Hand the terminal to tmux. */
  | { kind: 'attach'; pane: Pane };

/** Starting a CLI can be slow on a loaded machine. */
const resumeWait = 15_000;

export const execute = async (
  command: BoardCommand,
  sessions: ReadonlyMap<string, Session>,
  paths: Paths,
  env: Env,
): Promise<Outcome> => {
  switch (command.kind) {
    case 'quit':
      return { kind: 'quit' };
    case 'go':
      return goTo(sessions.get(command.id), env);
    case 'next':
      return goToNext(paths, env);
    case 'answer': {
      const answered = await call(paths, 'answerSession', { id: command.id, body: command.answer });
      const text = answeredText(answered);
      return { kind: 'notice', text: `${text.slice(0, 1).toUpperCase()}${text.slice(1)}` };
    }
    case 'resume': {
      const { pane } = await call(paths, 'resumeSession', { id: command.id, timeout: resumeWait });
      return { kind: 'notice', text: `Resumed in pane ${pane.id}.` };
    }
    case 'skip':
      await call(paths, 'skipSession', { id: command.id });
      return { kind: 'done' };
    case 'snooze':
      await call(paths, 'snoozeSession', { id: command.id, body: { seconds: command.seconds } });
      return { kind: 'done' };
    default:
      await call(paths, 'dismissSession', { id: command.id });
      return { kind: 'done' };
  }
};

const goToNext = async (paths: Paths, env: Env): Promise<Outcome> => {
  const client = (await tmuxClientOf(env))?.client ?? `board-${process.pid}`;
  const { next, waiting } = await call(paths, 'nextInQueue', { body: { client } });
  if (next) return goTo(next.session, env);
  const text = waiting ? 'No other session is waiting; the rest are deferred.' : 'No session is waiting.';
  return { kind: 'notice', text };
};

const goTo = async (session: Session | undefined, env: Env): Promise<Outcome> => {
  if (!session?.pane || session.state === 'ended')
    return { kind: 'notice', text: 'The session has no pane.' };
  const { pane } = session;
  const tmuxClient = await tmuxClientOf(env);
  if (tmuxClient?.socket === pane.socket) {
    await jump(tmuxClient, pane);
    // A popup would cover the pane.
    return { kind: env.DROVER_CLIENT ? 'quit' : 'done' };
  }
  if (env.TMUX) return { kind: 'notice', text: `On another tmux server: ${attachCommand(pane).join(' ')}` };
  return { kind: 'attach', pane };
};
