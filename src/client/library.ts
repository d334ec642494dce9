/** `drover/client`: sessions, messages and events for programs, over the daemon's socket or over TCP. */
import type { Answer, Answered } from '../contract/answer.ts';
import type { Resumed, SessionPage } from '../contract/api.ts';
import type { CreateSession, PressKeys, Receipt, SendMessage, TranscriptPage } from '../contract/hub.ts';
import type { Next, Queue } from '../contract/queue.ts';
import type { Session, State } from '../contract/session.ts';
import { limits } from '../limits.ts';
import { pathsAt, pathsFrom } from '../paths.ts';
import { call, callPath, type Reach } from './call.ts';
import { whereOf } from './find.ts';
import { pathOf } from './route-call.ts';
import { follow } from './stream.ts';
import { surface } from './surface.ts';

surface.name = 'socket';

export { DroverError } from '../contract/error.ts';

export interface ConnectOptions {
  /** DROVER_HOME of the daemon on this machine; by default that of the environment. */
  home?: string;
  /** Instead: the address of a daemon, `http://127.0.0.1:4000` or `https://drover.example`, with its token. */
  url?: string;
  token?: string;
}

/**
 * One event of a stream. `hook` carries the payload as Claude Code sent it, `raw` the same in base64 where it is not valid
 * text; `gap` means that earlier events are no longer available.
 */
export type DroverEvent =
  | { event: 'hook'; seq: number | null; payload: Record<string, unknown> }
  | { event: 'state'; seq: number | null; sessions: Session[] }
  | { event: 'end'; seq: number | null; reason: string | null; next: string | null }
  | { event: 'raw' | 'gap'; seq: number | null; data: string };

export class Drover {
  constructor(private readonly reach: Reach) {}

  async sessions(filter: { state?: State; live?: boolean } = {}): Promise<Session[]> {
    const query = { state: filter.state, live: filter.live ? 1 : undefined };
    return (await call(this.reach, 'listSessions', { query })).sessions;
  }

  /** Reads one session, with its open requests in full. */
  session(id: string): Promise<SessionPage> {
    return call(this.reach, 'readSession', { id });
  }

  queue(): Promise<Queue> {
    return call(this.reach, 'readQueue');
  }

  /** Claims the first session of the queue for this client. */
  next(client?: string): Promise<Next> {
    return call(this.reach, 'nextInQueue', { body: client === undefined ? {} : { client } });
  }

  /** Starts a session; resolves when it can take a prompt. */
  create(
    input: Pick<CreateSession, 'session_id' | 'cwd'> & Partial<CreateSession>,
    options: { key?: string } = {},
  ): Promise<Session> {
    return call(this.reach, 'createSession', {
      query: { wait: 'ready' },
      body: input,
      timeout: limits.start.ready + limits.daemon.answerTimeout,
      headers: keyHeader(options.key),
    });
  }

  /** Sends a message; with `wait` it resolves when the message has got that far. */
  send(
    id: string,
    input: string | (Pick<SendMessage, 'text'> & Partial<SendMessage>),
    options: { key?: string } = {},
  ): Promise<Receipt> {
    const body = typeof input === 'string' ? { text: input } : input;
    const timeout = (body.timeout ?? 60) * 1_000 + limits.daemon.answerTimeout;
    return call(this.reach, 'sendMessage', { id, body, timeout, headers: keyHeader(options.key) });
  }

  message(id: string): Promise<Receipt> {
    return call(this.reach, 'readMessage', { id });
  }

  async messages(id: string): Promise<Receipt[]> {
    return (await call(this.reach, 'listMessages', { id })).messages;
  }

  /** Answers a request of a session: a permission or a plan by `behavior`, questions by `answers`. */
  answer(id: string, answer: Answer): Promise<Answered> {
    return call(this.reach, 'answerSession', { id, body: answer });
  }

  /** Keeps the requests of a session open for `answer` too, or leaves them to its terminal. */
  hold(id: string, held = true): Promise<Session> {
    return call(this.reach, 'setApprovals', { id, body: { approvals: held ? 'held' : 'terminal' } });
  }

  keys(id: string, keys: PressKeys['keys']): Promise<Session> {
    return call(this.reach, 'pressKeys', { id, body: { keys } });
  }

  interrupt(id: string): Promise<Session> {
    return call(this.reach, 'interruptSession', {
      id,
      timeout: limits.stop.interrupt + limits.daemon.answerTimeout,
    });
  }

  /** Resumes an ended session in its own directory as a managed one; resolves when it has started. */
  resume(id: string): Promise<Resumed> {
    return call(this.reach, 'resumeSession', {
      id,
      body: { managed: true },
      timeout: limits.start.ready + limits.daemon.answerTimeout,
    });
  }

  stop(id: string, options: { force?: boolean } = {}): Promise<Session> {
    return call(this.reach, 'stopSession', {
      id,
      query: { force: options.force ? 1 : undefined },
      timeout: limits.stop.grace + limits.stop.kill + limits.daemon.answerTimeout,
    });
  }

  transcript(id: string, after = 0): Promise<TranscriptPage> {
    return call(this.reach, 'readTranscript', { id, query: { after } });
  }

  /** Follows all sessions, or one until it ends. Reconnects without missing an event. */
  async *events(options: { session?: string; after?: number } = {}): AsyncGenerator<DroverEvent> {
    const { session, after } = options;
    const path = session === undefined ? pathOf('followAll') : pathOf('followSession', { id: session });
    for await (const { event, data, id } of follow(this.reach, path, after)) {
      const seq = id === undefined ? null : Number(id);
      if (event === 'hook') yield { event, seq, payload: JSON.parse(data) as Record<string, unknown> };
      else if (event === 'state') yield { event, seq, ...(JSON.parse(data) as { sessions: Session[] }) };
      else if (event === 'end')
        yield { event, seq, ...(JSON.parse(data) as { reason: string | null; next: string | null }) };
      // Events that only a newer daemon sends are passed on too.
      else yield { event: event as 'raw' | 'gap', seq, data };
    }
  }

  /** Calls any route of the API, for those without a method here. */
  ask<T>(method: string, path: string, body?: unknown, patience = 0, key?: string): Promise<T> {
    const timeout = patience + limits.daemon.answerTimeout;
    return callPath<T>(this.reach, method, path, body, { timeout, headers: keyHeader(key) });
  }
}

const keyHeader = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { 'Idempotency-Key': key };

export const connect = ({ home, url, token }: ConnectOptions = {}): Drover => {
  if (url === undefined) return new Drover(home === undefined ? pathsFrom(process.env) : pathsAt(home));
  return new Drover(whereOf(url, token ?? ''));
};
