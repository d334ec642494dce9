/** What a replayed corpus leads to, read as programs read it, in words that are the same on every machine. */
import type { Explanation, SessionPage } from '../../src/contract/api.ts';
import type { Queue } from '../../src/contract/queue.ts';
import type { Session, Step } from '../../src/contract/session.ts';
import { lines } from '../rig/log.ts';
import type { Daemon } from '../rig/drover.ts';
import { subscribe } from '../rig/sse.ts';
import type { World } from '../rig/world.ts';
import { isAddedEvent, isAddedOption, withoutAddedFields } from './additions.ts';
import type { Corpus } from './corpus.ts';
import { normaliser } from './normalise.ts';
import { payloadOf } from './spool.ts';
import type { Stage } from './stage.ts';

export interface Outcome {
  /** `drover ls --all --json`: those that wait, in order, and every session by its id. */
  waiting: string[];
  sessions: Record<string, unknown>;
  /** `GET /queue`, in order. */
  queue: unknown[];
  /** `GET /sessions/:id` and `/explain`: the requests, and the steps that led to the state. */
  pages: Record<string, unknown>;
  /** `drover events --after 0 --json`: the hooks, each with its number and the line of the corpus that it came from. */
  hooks: unknown[];
  /** The events of all other sources, without their order. */
  others: unknown[];
  /** The frames of `GET /events?after=0`, up to the state of all sessions that live. */
  frames: unknown[];
  /** `@meta.claude.*` and `@drover_*` of each pane and of the server. */
  tmux: Record<string, unknown>;
}

/** Reads it all, once. */
export const readOutcome = async (
  world: World,
  daemon: Daemon,
  corpus: Corpus,
  stage: Stage,
): Promise<Outcome> => {
  const normal = normaliser(world, daemon, corpus, stage);
  const ask = async <T>(path: string): Promise<T> => {
    const headers = { Authorization: `Bearer ${daemon.token}` };
    return (await (await fetch(`${daemon.url}${path}`, { headers })).json()) as T;
  };
  const { sessions } = JSON.parse((await world.drover('ls', '--all', '--json')).stdout) as {
    sessions: Session[];
  };
  const queue = await ask<Queue>('/queue');
  const pages = await Promise.all(
    sessions.map(async ({ id }) => {
      const { requests, pending, past, from, into } = await ask<SessionPage>(`/sessions/${id}`);
      const { steps, requests: asks } = await ask<Explanation>(`/sessions/${id}/explain`);
      return [id, { requests, pending, past, from, into, steps: certain(steps), asks }];
    }),
  );
  const events = lines((await world.drover('events', '--after', '0', '--json')).stdout);
  const byPayload = sourceLines(corpus, normal.text);
  return {
    waiting: sessions.filter(({ state }) => state === 'waiting').map(({ id }) => id),
    sessions: byId(sessions.map(session => [session.id, normal.value(withoutAddedFields(session))])),
    queue: queue.items.map(({ session, ...item }) => normal.value({ session: session.id, ...item })),
    pages: byId(pages.map(([id, page]) => [id as string, normal.value(page)])),
    hooks: events
      .filter(({ source }) => source === 'hook')
      .map(({ payload, ...event }) =>
        normal.value({ ...event, payload: byPayload(JSON.stringify(payload)) }),
      ),
    others: distinct(
      events
        // The number of Settled events depends on timing; their effect is in the states.
        .filter(({ source, name }) => source !== 'hook' && name !== 'Settled' && !isAddedEvent(String(name)))
        // Events of other sources than hooks arrive in any order, so their numbers and times differ.
        .map(({ source, name, sessionId, context, payload }) =>
          normal.value({ source, name, sessionId, context, payload: payload && withoutAddedFields(payload) }),
        ),
    ),
    frames: await framesOf(daemon, normal.value, byPayload, sessions),
    tmux: await optionsOf(world, stage, normal.value),
  };
};

/**
 * The steps without a wait that was still tentative when the process was found dead. The recording has one: at that time the
 * daemon confirmed waits while it read the spool. Since de0f724 it confirms them once all sources run, which may find the
 * dead process first.
 */
const certain = (steps: Step[]): Step[] =>
  steps.filter(({ state }, n) => state !== 'waiting' || steps[n + 1]?.evidence.name !== 'ProcessGone');

/** Finds the lines of the corpus that have this payload; a payload that no line has stays as it is. */
const sourceLines = (corpus: Corpus, normal: (text: string) => string): ((json: string) => unknown) => {
  const found = new Map<string, number[]>();
  for (const [n, { content }] of corpus.files.entries()) {
    const key = JSON.stringify(JSON.parse(payloadOf(content)));
    found.set(key, [...(found.get(key) ?? []), n + 1]);
  }
  return json => found.get(normal(json)) ?? (JSON.parse(json) as unknown);
};

const framesOf = async (
  daemon: Daemon,
  normal: (value: unknown) => unknown,
  byPayload: (json: string) => unknown,
  sessions: Session[],
): Promise<unknown[]> => {
  const stream = await subscribe(daemon.url, daemon.token, { after: 0 });
  try {
    await stream.next(({ event }) => event === 'state');
    const end = stream.frames.findIndex(({ event }) => event === 'state') + 1;
    const textOf = (session: Session) => JSON.stringify(withoutAddedFields(session));
    const listed = new Map(sessions.map(session => [session.id, textOf(session)]));
    return stream.frames.slice(0, end).map(({ id, event, data }) => {
      if (event === 'hook')
        return normal({ id: Number(id), event, data: byPayload(JSON.stringify(JSON.parse(data))) });
      if (event !== 'state') return normal({ id: Number(id), event, data });
      const { sessions: shown } = JSON.parse(data) as { sessions: Session[] };
      // A session that reads as in the list above needs no second copy.
      const differing = shown
        .filter(session => listed.get(session.id) !== textOf(session))
        .map(withoutAddedFields);
      return normal({ event, sessions: shown.map(({ id: shownId }) => shownId).toSorted(), differing });
    });
  } finally {
    stream.close();
  }
};

const optionsOf = async (
  world: World,
  stage: Stage,
  normal: (value: unknown) => unknown,
): Promise<Record<string, unknown>> => {
  const read = async (own: RegExp, ...words: string[]): Promise<unknown> =>
    normal(
      Object.fromEntries(
        (await world.tmux(['show-options', ...words]))
          .split('\n')
          .filter(line => own.test(line) && !isAddedOption(line.slice(0, line.indexOf(' '))))
          // tmux quotes a value that needs it, such as the id of a pane.
          .map(line => [
            line.slice(0, line.indexOf(' ')),
            line.slice(line.indexOf(' ') + 1).replace(/^"(.*)"$/, '$1'),
          ]),
      ),
    );
  const panes = await Promise.all(
    stage.panes.map(async (pane, n) => [`pane ${n + 1}`, await read(ofPane, '-p', '-t', pane)] as const),
  );
  return { ...Object.fromEntries(panes), server: await read(ofServer, '-s') };
};

const ofPane = /^@(?:meta\.claude\.|drover_)/;
/** Formats and keys are there too; they come from tmux.conf, not from the sessions. */
const ofServer = /^@drover_(?:daemon|count|head|elsewhere|\d)/;

const byId = (entries: (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Each once, sorted separately. */
export const distinct = (values: unknown[]): unknown[] =>
  [...new Map(values.map(value => [JSON.stringify(sorted(value)), value]))]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, value]) => value);

/** The same value with its keys in order. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, sorted(item)] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
};
