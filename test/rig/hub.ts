/** The hub as a program uses it over HTTP. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pauseFor } from 'node:timers/promises';
import type { SessionPage } from '../../src/contract/api.ts';
import type { Receipt } from '../../src/contract/hub.ts';
import type { Session } from '../../src/contract/session.ts';
import type { Daemon, DaemonOptions } from './drover.ts';
import { until } from './within.ts';
import type { World } from './world.ts';

export interface Said<T> {
  status: number;
  body: T & { error?: { code: string; message: string; hint: string } };
}

export interface Hub extends Daemon {
  ask: <T = Session>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Said<T>>;
  /** Starts a session and awaits that it is ready. */
  create: (fields?: object, headers?: Record<string, string>) => Promise<Said<Session>>;
  send: (id: string, body: object | string, headers?: Record<string, string>) => Promise<Said<Receipt>>;
  answer: (id: string, body: object) => Promise<Said<object>>;
  read: (id: string) => Promise<SessionPage>;
  /** Awaits a session that the predicate takes. */
  is: (id: string, wanted: (session: SessionPage) => boolean, ms?: number) => Promise<SessionPage>;
  /** Awaits that a request of a session can be answered. */
  pending: (id: string) => Promise<SessionPage>;
  screen: (session: Session) => Promise<string>;
  /** Awaits text on the screen of a session. */
  sees: (session: Session, pattern: RegExp | string, ms?: number) => Promise<string>;
}

/** Starts the daemon of a world, and calls it. */
export const hubOf = async (world: World, options: DaemonOptions = {}): Promise<Hub> => {
  const daemon = await world.daemon(options);
  const { url, token } = daemon;
  const ask: Hub['ask'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as never };
  };
  const hub: Hub = {
    ...daemon,
    ask,
    create: (fields = {}, headers = {}) =>
      ask(
        'POST',
        '/sessions?wait=ready',
        { session_id: randomUUID(), cwd: world.dir(), permission_mode: 'default', ...fields },
        headers,
      ),
    send: (id, body, headers = {}) =>
      ask('POST', `/sessions/${id}/message`, typeof body === 'string' ? { text: body } : body, headers),
    answer: (id, body) => ask('POST', `/sessions/${id}/answer`, body),
    read: async id => (await ask<SessionPage>('GET', `/sessions/${id}`)).body,
    is: (id, wanted, ms = 20_000) => {
      let last: SessionPage | undefined;
      return until(
        ms,
        () => `${id} is ${JSON.stringify(last)}`,
        async () => {
          last = await hub.read(id);
          return wanted(last) ? last : undefined;
        },
      );
    },
    pending: id => hub.is(id, ({ pending }) => Boolean(pending)),
    screen: ({ pane }) => world.tmux(['capture-pane', '-p', '-t', pane?.id ?? '']),
    sees: (session, pattern, ms = 20_000) => {
      let last = '';
      return until(
        ms,
        () => `${String(pattern)} was not seen; the screen:\n${last.trimEnd()}`,
        async () => {
          last = await hub.screen(session);
          return last.search(pattern) < 0 ? undefined : last;
        },
      );
    },
  };
  return hub;
};

/** Waits until a dialog accepts keys: 2.1.325 ignores those that come within 0.75 s of the last key. */
export const pauseUntilKeysCount = (): Promise<void> => pauseFor(1_500);
