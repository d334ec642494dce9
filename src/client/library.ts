/** `drover/client`: sessions, messages and events for programs, over the daemon's socket or over TCP. */
import type { Answer, Answered } from '../contract/answer.ts';
import type { Resumed, SessionList, SessionPage } from '../contract/api.ts';
import type {
  CreateSession,
  PressKeys,
  Receipt,
  ReceiptList,
  SendMessage,
  TranscriptPage,
} from '../contract/hub.ts';
import type { Next, Queue } from '../contract/queue.ts';
import type { Session, State } from '../contract/session.ts';
import { limits } from '../limits.ts';
import { pathsAt, pathsFrom } from '../paths.ts';
import { call, type Reach } from './call.ts';
import { whereOf } from './find.ts';
import { follow } from './stream.ts';
import { surface } from './surface.ts';

surface.name = 'socket';

export { DroverError } from '../contract/error.ts';

export interface ConnectOptions {
  /** DROVER_HOME of the daemon on this machine; that of the environment unless told. */
  home?: string;
  /** Instead: the address of a daemon, `http://127.0.0.1:4000` or `https://drover.example`, with its token. */
  url?: string;
  token?: string;
}

/**
 * One thing that a stream says, told apart by `event`. `hook` carries the payload as Claude Code gave it, `raw` the same in
 * base64 where it cannot be sent as text; `gap` says that what was before it is gone.
 */
export type DroverEvent =
  | { event: 'hook'; seq: number | null; payload: Record<string, unknown> }
  | { event: 'state'; seq: number | null; sessions: Session[] }
  | { event: 'end'; seq: number | null; reason: string | null; next: string | null }
  | { event: 'raw' | 'gap'; seq: number | null; data: string };

type Wish<T> = Partial<T>;

export class Drover {
  constructor(private readonly reach: Reach) {}

  async sessions(filter: { state?: State; live?: boolean } = {}): Promise<Session[]> {
    const query = new URLSearchParams({
      ...(filter.state && { state: filter.state }),
      ...(filter.live && { live: '1' }),
    });
    return (await this.ask<SessionList>('GET', `/sessions?${query.toString()}`)).sessions;
  }

  /** One session, with what waits for an answer in full (`pending`). */
  session(id: string): Promise<SessionPage> {
    return this.ask('GET', `/sessions/${encodeURIComponent(id)}`);
  }

  queue(): Promise<Queue> {
    return this.ask('GET', '/queue');
  }

  /** The session that has waited longest, claimed for this client. */
  next(client?: string): Promise<Next> {
    return this.ask('POST', '/queue/next', client === undefined ? {} : { client });
  }

  /** Starts a session and comes back when it can take a prompt. */
  create(
    wish: Pick<CreateSession, 'session_id' | 'cwd'> & Wish<CreateSession>,
    options: { key?: string } = {},
  ): Promise<Session> {
    return this.ask('POST', '/sessions?wait=ready', wish, limits.start.ready, options.key);
  }

  /** Sends a message; with `wait` it comes back when the message has come so far. */
  send(
    id: string,
    wish: string | (Pick<SendMessage, 'text'> & Wish<SendMessage>),
    options: { key?: string } = {},
  ): Promise<Receipt> {
    const body = typeof wish === 'string' ? { text: wish } : wish;
    const patience = (body.timeout ?? 60) * 1_000;
    return this.ask('POST', `/sessions/${encodeURIComponent(id)}/message`, body, patience, options.key);
  }

  message(id: string): Promise<Receipt> {
    return this.ask('GET', `/messages/${encodeURIComponent(id)}`);
  }

  async messages(id: string): Promise<Receipt[]> {
    return (await this.ask<ReceiptList>('GET', `/sessions/${encodeURIComponent(id)}/messages`)).messages;
  }

  /** Answers what a session asks: a permission or a plan by `behavior`, questions by `answers`. */
  answer(id: string, answer: Answer): Promise<Answered> {
    return this.ask('POST', `/sessions/${encodeURIComponent(id)}/answer`, answer);
  }

  /** Lets what a session asks wait for `answer` too, or leaves it to its terminal. */
  hold(id: string, held = true): Promise<Session> {
    const approvals = held ? 'held' : 'terminal';
    return this.ask('POST', `/sessions/${encodeURIComponent(id)}/approvals`, { approvals });
  }

  keys(id: string, keys: PressKeys['keys']): Promise<Session> {
    return this.ask('POST', `/sessions/${encodeURIComponent(id)}/keys`, { keys });
  }

  interrupt(id: string): Promise<Session> {
    return this.ask('POST', `/sessions/${encodeURIComponent(id)}/interrupt`, {}, limits.stop.interrupt);
  }

  /** Takes an ended session up again in its own directory, as one of the hub's; comes back when it is started. */
  resume(id: string): Promise<Resumed> {
    return this.ask(
      'POST',
      `/sessions/${encodeURIComponent(id)}/resume`,
      { managed: true },
      limits.start.ready,
    );
  }

  stop(id: string, options: { force?: boolean } = {}): Promise<Session> {
    const query = options.force ? '?force=1' : '';
    const patience = limits.stop.grace + limits.stop.kill;
    return this.ask('DELETE', `/sessions/${encodeURIComponent(id)}${query}`, undefined, patience);
  }

  transcript(id: string, after = 0): Promise<TranscriptPage> {
    return this.ask('GET', `/sessions/${encodeURIComponent(id)}/transcript?after=${after}`);
  }

  /** Follows all sessions, or one; a broken connection is mended, and nothing is missed. Ends with the session. */
  async *events(options: { session?: string; after?: number } = {}): AsyncGenerator<DroverEvent> {
    const { session, after } = options;
    const path = session === undefined ? '/events' : `/sessions/${encodeURIComponent(session)}/events`;
    for await (const { event, data, id } of follow(this.reach, path, after)) {
      const seq = id === undefined ? null : Number(id);
      if (event === 'hook') yield { event, seq, payload: JSON.parse(data) as Record<string, unknown> };
      else if (event === 'state') yield { event, seq, ...(JSON.parse(data) as { sessions: Session[] }) };
      else if (event === 'end')
        yield { event, seq, ...(JSON.parse(data) as { reason: string | null; next: string | null }) };
      // What a newer daemon says on top is passed on too.
      else yield { event: event as 'raw' | 'gap', seq, data };
    }
  }

  /** Any route of the API, for what has no method here. */
  ask<T>(method: string, path: string, body?: unknown, patience = 0, key?: string): Promise<T> {
    const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
    return call<T>(this.reach, method, path, body, patience + limits.daemon.answerTimeout, headers);
  }
}

export const connect = ({ home, url, token }: ConnectOptions = {}): Drover => {
  if (url === undefined) return new Drover(home === undefined ? pathsFrom(process.env) : pathsAt(home));
  return new Drover(whereOf(url, token ?? ''));
};
