/** Executes the commands of keys that go beyond the board. */
import { randomUUID } from 'node:crypto';
import {
  type BoardCommand,
  interruptedText,
  noNextText,
  pastVerbs,
  renamedText,
  resumedText,
  type SessionCommand,
  undoneText,
} from '../client/board.ts';
import { call } from '../client/call.ts';
import { ensureDaemon } from '../client/start.ts';
import { createBody } from '../client/new-session.ts';
import { openInBrowser, pageAddress } from '../client/open-page.ts';
import { receiptText } from '../client/receipt-text.ts';
import { answeredText } from '../client/request-text.ts';
import { shortId } from '../contract/short-id.ts';
import { startParked } from '../client/start-parked.ts';
import type { Pane, Session } from '../contract/session.ts';
import type { Env, Paths } from '../paths.ts';
import { findTmuxClient, attachCommand, jump } from '../tmux/keys/jump.ts';
import { openWindow } from './go-elsewhere.ts';

/** What the board does next. */
export type Outcome =
  | { kind: 'done' }
  | { kind: 'quit' }
  | { kind: 'notice'; text: string }
  /** Select a session that was just started. */
  | { kind: 'started'; id: string; text: string }
  /** Hand the terminal to tmux. */
  | { kind: 'attach'; pane: Pane }
  /** Hand the terminal to a session of another host. */
  | { kind: 'attach-elsewhere'; id: string };

/** Starting a CLI can be slow on a loaded machine. */
const startWait = 30_000;
/** A message to a session that works is queued; the board does not wait for that. In seconds. */
const receiptWait = 15;
/** An answer by the screen waits until the dialog is gone. */
const answerWait = 20_000;

export const execute = async (
  command: BoardCommand,
  sessions: ReadonlyMap<string, Session>,
  paths: Paths,
  env: Env,
): Promise<Outcome> => {
  switch (command.kind) {
    case 'quit':
      return { kind: 'quit' };
    case 'next':
      return goToNext(paths, env);
    case 'go':
      return goTo(await started(paths, sessions.get(command.id)), env);
    case 'several':
      return executeAll(command.commands, paths);
    case 'create': {
      const id = randomUUID();
      await call(paths, 'createSession', { body: createBody(command.form, id), timeout: startWait });
      return { kind: 'started', id, text: `Started ${shortId(id)}.` };
    }
    case 'page':
      return openPage(paths, env, command.id);
    default:
      return executeOne(command, paths);
  }
};

/** Executes commands for several sessions; a failure does not stop the rest. */
const executeAll = async (commands: SessionCommand[], paths: Paths): Promise<Outcome> => {
  const failures: string[] = [];
  for (const command of commands)
    await executeOne(command, paths).catch((error: unknown) =>
      failures.push(`${shortId(command.id)}: ${(error as Error).message}`),
    );
  const done = commands.length - failures.length;
  const kind = commands[0]?.kind ?? 'skip';
  const text = [`${pastVerbs[kind] ?? 'Done for'} ${done} of ${commands.length} sessions.`, ...failures].join(
    ' ',
  );
  return { kind: 'notice', text };
};

const executeOne = async (command: SessionCommand, paths: Paths): Promise<Outcome> => {
  const { id } = command;
  const notice = (text: string): Outcome => ({ kind: 'notice', text });
  switch (command.kind) {
    case 'answer': {
      const answered = await call(paths, 'answerSession', { id, body: command.answer, timeout: answerWait });
      const text = answeredText(answered);
      return notice(`${text.slice(0, 1).toUpperCase()}${text.slice(1)}`);
    }
    case 'resume': {
      const { pane } = await call(paths, 'resumeSession', { id, timeout: startWait });
      return notice(resumedText(pane));
    }
    case 'message': {
      const body = { text: command.text, wait: 'submitted' as const, timeout: receiptWait };
      const timeout = receiptWait * 1_000 + 5_000;
      return notice(`${receiptText(await call(paths, 'sendMessage', { id, body, timeout }))}.`);
    }
    case 'interrupt':
      await call(paths, 'interruptSession', { id, timeout: answerWait });
      return notice(interruptedText);
    case 'rename':
      await call(paths, 'setTitle', { id, body: { title: command.title } });
      return notice(renamedText(command.title));
    case 'tag':
      await call(paths, 'setTags', { id, body: { add: command.add, remove: command.remove } });
      return { kind: 'done' };
    case 'park':
      await call(paths, 'parkSession', { id, timeout: startWait });
      return notice('Parked. Enter or a message resumes it.');
    case 'undo':
      await call(paths, 'undoDeferral', { id });
      return notice(undoneText);
    case 'skip':
      await call(paths, 'skipSession', { id });
      return { kind: 'done' };
    case 'snooze':
      await call(paths, 'snoozeSession', { id, body: { seconds: command.seconds } });
      return { kind: 'done' };
    default:
      await call(paths, 'dismissSession', { id });
      return { kind: 'done' };
  }
};

/** Starts a parked session, which then has a pane. One of another host is started there. */
const started = async (paths: Paths, session: Session | undefined): Promise<Session | undefined> =>
  session?.parked && !session.fleet
    ? { ...session, state: 'ready', pane: await startParked(paths, session.id) }
    : session;

/** Opens the page at a session in the browser of this desktop; without one, the address is shown. */
const openPage = async (paths: Paths, env: Env, session: string | null): Promise<Outcome> => {
  const { url } = await ensureDaemon(paths, env);
  const page = await pageAddress(paths, url ?? '', { session });
  const outcome = await openInBrowser(paths, env, page);
  const text =
    outcome === 'signed in'
      ? `Opened ${url} in your browser.`
      : `Open this within two minutes: ${page.address}`;
  return { kind: 'notice', text };
};

const goToNext = async (paths: Paths, env: Env): Promise<Outcome> => {
  const client = (await findTmuxClient(env))?.client ?? `board-${process.pid}`;
  const { next, waiting } = await call(paths, 'nextInQueue', { body: { client } });
  if (next) return goTo(next.session, env);
  return { kind: 'notice', text: noNextText(waiting) };
};

const goTo = async (session: Session | undefined, env: Env): Promise<Outcome> => {
  if (session?.fleet) return goElsewhere(session.id, env);
  if (!session?.pane || session.state === 'ended')
    return { kind: 'notice', text: 'The session has no pane.' };
  const { pane } = session;
  const tmuxClient = await findTmuxClient(env);
  if (tmuxClient?.socket === pane.socket) {
    await jump(tmuxClient, pane);
    // A popup would cover the pane.
    return { kind: env.DROVER_CLIENT ? 'quit' : 'done' };
  }
  if (env.TMUX) return { kind: 'notice', text: `On another tmux server: ${attachCommand(pane).join(' ')}` };
  return { kind: 'attach', pane };
};

const goElsewhere = async (id: string, env: Env): Promise<Outcome> => {
  if (!env.TMUX) return { kind: 'attach-elsewhere', id };
  await openWindow(id, env);
  return { kind: env.DROVER_CLIENT ? 'quit' : 'done' };
};
