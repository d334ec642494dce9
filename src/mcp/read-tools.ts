/** Tools that read. */
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';
import { Request, RequestPage } from '../contract/answer.ts';
import { Explanation, Screen } from '../contract/api.ts';
import { Changes } from '../contract/changes.ts';
import { Receipt, TranscriptPage } from '../contract/hub.ts';
import { Queue, QueueItem } from '../contract/queue.ts';
import { Session, State } from '../contract/session.ts';
import { UsageRow } from '../contract/usage.ts';
import { limits } from '../limits.ts';
import { findSession } from './find-session.ts';
import { lastAnswer, transcriptPage } from './read-conversation.ts';
import { SessionSummary, summaryOf } from './summary.ts';
import { sessionField, tool } from './tool.ts';

export const readTools = [
  tool({
    name: 'list_sessions',
    title: 'List sessions',
    description:
      'List Claude Code sessions with their state, most recently active first. `query` searches the text of all transcripts, past ones too.',
    right: 'read',
    input: z.object({
      state: State.optional().describe('only sessions in this state'),
      match: z
        .string()
        .max(limits.mcp.addressText)
        .optional()
        .describe('only sessions that match: id, prefix, title, project, tag'),
      query: z
        .string()
        .max(limits.mcp.addressText)
        .optional()
        .describe('only sessions whose transcript contains this'),
      past: z.boolean().default(false).describe('ended sessions too'),
      limit: z.number().int().min(1).max(200).default(20),
    }),
    output: z.object({
      sessions: z.array(SessionSummary),
      /** For a search: the text around each match, by session. */
      found: z.record(z.string(), z.string()).optional(),
      /** For a search over a fleet: the hosts that did not search. */
      missing: z.array(z.object({ host: z.string(), problem: z.string() })).optional(),
    }),
    run: async ({ state, match, query: q, past, limit }, { daemon, own }) => {
      const live = past || q !== undefined || state === 'ended' ? undefined : 1;
      const { sessions, found, missing } = await daemon.call('listSessions', {
        query: { state, match, q, live },
      });
      const inside = own();
      return { sessions: sessions.slice(0, limit).map(one => summaryOf(one, inside)), found, missing };
    },
  }),
  tool({
    name: 'read_session',
    title: 'Read a session',
    description:
      'Read one session: its state and why it is in it, its open requests in full, and its last answer.',
    right: 'read',
    input: z.object({ session: sessionField }),
    output: z.object({
      session: SessionSummary.extend(
        Session.pick({ cwd: true, permissionMode: true, context: true, tasks: true, crons: true }).shape,
      ),
      requests: z.array(Request),
      why: Explanation.omit({ session: true }),
      lastAnswer: z.string().nullable(),
    }),
    run: async ({ session: name }, deps) => {
      const { id } = await findSession(name, deps);
      const { daemon, own } = deps;
      const session = await daemon.call('readSession', { id });
      const why = await daemon.call('explainSession', { id });
      return {
        session: { ...session, ...summaryOf(session, own()) },
        requests: session.requests,
        why,
        lastAnswer: await lastAnswer(session, daemon, deps.signal),
      };
    },
  }),
  tool({
    name: 'read_request',
    title: 'Read a request',
    description: 'Read an open request in full, with its choices.',
    right: 'read',
    input: z.object({ session: sessionField, request: z.number().int().describe('id of the request') }),
    output: RequestPage,
    run: async ({ session, request }, deps) => {
      const { id } = await findSession(session, deps);
      return deps.daemon.call('readRequest', { id, request });
    },
  }),
  tool({
    name: 'read_transcript',
    title: 'Read a transcript',
    description:
      'Read the conversation of a session, oldest first, a page at a time. A page of long messages has fewer of them.',
    right: 'read',
    input: z.object({
      session: sessionField,
      after: z.number().int().min(0).default(0).describe('`next` of the previous page'),
      limit: z.number().int().min(1).max(1_000).default(50),
    }),
    output: TranscriptPage,
    run: async ({ session, after, limit }, deps) => {
      const { id } = await findSession(session, deps);
      return transcriptPage(id, after, limit, deps.daemon, deps.signal);
    },
  }),
  tool({
    name: 'read_screen',
    title: 'Read the screen',
    description: 'Read what the terminal of a session shows now. Null when it has no pane.',
    right: 'read',
    input: z.object({ session: sessionField }),
    output: z.object({ screen: Screen.nullable() }),
    run: async ({ session }, deps) => {
      const { id } = await findSession(session, deps);
      const { screen } = await deps.daemon.call('readScreen', { id });
      return { screen: screen && { ...screen, text: stripVTControlCharacters(screen.text) } };
    },
  }),
  tool({
    name: 'read_changes',
    title: 'Read the changes',
    description: 'List the files that a session changed, by file and by turn. `diff` adds the diffs.',
    right: 'read',
    input: z.object({
      session: sessionField,
      diff: z.boolean().default(false),
      git: z.boolean().default(false).describe('also the working tree against HEAD, whoever changed it'),
    }),
    output: Changes,
    run: async ({ session, diff, git }, deps) => {
      const { id } = await findSession(session, deps);
      return deps.daemon.call('readChanges', {
        id,
        query: { diff: diff ? 1 : undefined, git: git ? 1 : undefined },
      });
    },
  }),
  tool({
    name: 'read_usage',
    title: 'Read tokens and cost',
    description: 'Read the tokens and the API-equivalent cost of a session. Null when it has used none yet.',
    right: 'read',
    input: z.object({ session: sessionField }),
    output: z.object({ usage: UsageRow.nullable() }),
    run: async ({ session }, deps) => {
      const { id } = await findSession(session, deps);
      const { rows } = await deps.daemon.call('usage', { query: { by: 'session' } });
      return { usage: rows.find(({ name }) => name === id) ?? null };
    },
  }),
  tool({
    name: 'read_queue',
    title: 'Read the queue',
    description: 'List the sessions that wait for the user, in order, with what each one asks.',
    right: 'read',
    input: z.object({}),
    output: Queue.extend({ items: z.array(QueueItem.extend({ session: SessionSummary })) }),
    run: async (_, { daemon, own }) => {
      const { order, items } = await daemon.call('readQueue');
      const inside = own();
      return { order, items: items.map(item => ({ ...item, session: summaryOf(item.session, inside) })) };
    },
  }),
  tool({
    name: 'read_message',
    title: 'Read a receipt',
    description: 'Read the delivery status of a message, and its answer. `send_message` returns its id.',
    right: 'read',
    input: z.object({
      message: z
        .string()
        .regex(/^[0-9a-f-]{36}$/, 'is not the id of a message')
        .describe('id of the message'),
    }),
    output: Receipt,
    run: ({ message: id }, { daemon }) => daemon.call('readMessage', { id }),
  }),
];
