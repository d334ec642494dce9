/**
 * Translates answers of other hosts for this machine: ids with their host, times by our clock, and no pane, process or file that
 * would mean something else here.
 */
import { idFrom } from '../../contract/origin.ts';
import type { RouteId, routes } from '../../contract/routes.ts';
import type { Session } from '../../contract/session.ts';
import type { Peer } from '../../fleet/peers.ts';
import { keepColours } from '../../keep-colours.ts';
import { ourTime, requestFromHost, sessionFromHost } from '../../fleet/row.ts';
import type * as z from 'zod';

type Row = (typeof routes)[number];

/** The routes that are called on other hosts. */
export type ForwardedId = Extract<Row, { remote: 'session' }>['id'];

type AnswerOf<Id extends RouteId> = z.output<Extract<Row, { id: Id; answer: z.ZodType }>['answer']>;

type Translators = { [Id in ForwardedId]: (answer: AnswerOf<Id>, peer: Peer) => AnswerOf<Id> };

const session = <T extends Session>(given: T, peer: Peer): T => sessionFromHost(given, peer, peer.skew);
const idOf = (id: string, { name }: Peer): string => idFrom(id, name);
const at = (time: number, { skew }: Peer): number => ourTime(time, skew);
const maybeAt = (time: number | null, peer: Peer): number | null => (time === null ? null : at(time, peer));
const unchanged = <T>(answer: T): T => answer;

const receipt: Translators['readMessage'] = (given, peer) => ({
  ...given,
  sessionId: idOf(given.sessionId, peer),
  queuedAt: at(given.queuedAt, peer),
  typedAt: maybeAt(given.typedAt, peer),
  submittedAt: maybeAt(given.submittedAt, peer),
  answeredAt: maybeAt(given.answeredAt, peer),
});

const item: Translators['skipSession'] = (given, peer) => ({
  ...given,
  session: session(given.session, peer),
  until: maybeAt(given.until, peer),
});

const menu: Translators['readMenu'] = (given, peer) => ({ ...given, id: idOf(given.id, peer) });

const commands: Translators['runCommands'] = (given, peer) => ({
  ...given,
  sessionId: idOf(given.sessionId, peer),
  steps: given.steps.map(step => ({ ...step, endedAt: maybeAt(step.endedAt, peer) })),
});

export const fromHost: Translators = {
  readSession: (page, peer) => ({
    ...session(page, peer),
    requests: page.requests.map(request => requestFromHost(request, peer.skew)),
    pending: page.pending && {
      ...requestFromHost(page.pending, peer.skew),
      until: at(page.pending.until, peer),
    },
    past: page.past.map(past => ({ ...past, at: at(past.at, peer) })),
    from: page.from && { ...page.from, id: idOf(page.from.id, peer) },
    into: page.into.map(related => ({ ...related, id: idOf(related.id, peer) })),
  }),
  explainSession: (given, peer) => ({
    ...given,
    session: session(given.session, peer),
    steps: given.steps.map(step => ({
      ...step,
      at: at(step.at, peer),
      evidence: { ...step.evidence, at: at(step.evidence.at, peer) },
    })),
    file: given.file && { ...given.file, at: at(given.file.at, peer) },
    hookedAt: given.hookedAt === 0 ? 0 : at(given.hookedAt, peer),
  }),
  readRequest: (given, peer) => requestFromHost(given, peer.skew),
  answerSession: unchanged,
  askSession: unchanged,
  setApprovals: session,
  sendMessage: receipt,
  listMessages: ({ messages }, peer) => ({ messages: messages.map(message => receipt(message, peer)) }),
  readMessage: receipt,
  interruptSession: session,
  stopSession: session,
  // Commands and panes of that host must not be used here.
  resumeSession: ({ id, copy, dir }, peer) => ({
    id: idOf(id, peer),
    ...(copy !== undefined && { copy: idOf(copy, peer) }),
    dir,
    argv: [],
    pane: null,
  }),
  createSession: session,
  readTranscript: (page, peer) => ({
    ...page,
    messages: page.messages.map(message => ({ ...message, at: maybeAt(message.at, peer) })),
  }),
  // Only its own terminal has removed what a terminal would obey.
  readScreen: ({ screen }) => ({ screen: screen && { ...screen, text: keepColours(screen.text) } }),
  readChanges: (given, peer) => ({
    ...given,
    sessionId: idOf(given.sessionId, peer),
    files: given.files.map(file => ({ ...file, at: at(file.at, peer) })),
    turns: given.turns.map(turn => ({
      ...turn,
      at: at(turn.at, peer),
      changes: turn.changes.map(change => ({ ...change, at: at(change.at, peer) })),
    })),
    collisions: given.collisions.map(collision => ({
      ...collision,
      sessionId: idOf(collision.sessionId, peer),
      at: at(collision.at, peer),
    })),
  }),
  readLog: (page, peer) => ({
    ...page,
    events: page.events.map(event => ({
      ...event,
      at: at(event.at, peer),
      seen: at(event.seen, peer),
      sessionId: event.sessionId === null ? null : idOf(event.sessionId, peer),
      context: {
        host: peer.name,
        ...(event.context.entrypoint !== undefined && { entrypoint: event.context.entrypoint }),
      },
    })),
  }),
  usage: (given, peer) =>
    given.by === 'session'
      ? { ...given, rows: given.rows.map(row => ({ ...row, name: idOf(row.name, peer) })) }
      : given,
  stats: unchanged,
  claimSession: item,
  skipSession: item,
  snoozeSession: item,
  dismissSession: item,
  undoDeferral: item,
  seeSession: session,
  setTitle: session,
  setTags: session,
  parkSession: session,
  pressKeys: session,
  readMenu: menu,
  actOnMenu: menu,
  runCommands: commands,
  readCommands: (page, peer) => ({ commands: page.commands && commands(page.commands, peer) }),
  cancelCommands: commands,
  scheduleContinuation: session,
  cancelContinuation: session,
};
