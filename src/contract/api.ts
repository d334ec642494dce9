/** Bodies and answers that do not belong to another file of this folder. */
import * as z from 'zod';
import { HeldRequest, PastRequest, Request } from './answer.ts';
import { EventView } from './event.ts';
import { NotifyStatus } from './notice.ts';
import { Session, Step } from './session.ts';

export const Ack = z.object({ ok: z.literal(true) });

export const SessionList = z.object({
  sessions: z.array(Session),
  /** For a search: the text around each match, by session. */
  found: z.record(z.string(), z.string()).optional(),
  /** For a search over a fleet: the hosts whose transcripts were not searched, and why. */
  missing: z.array(z.object({ host: z.string(), problem: z.string() })).optional(),
});
export type SessionList = z.infer<typeof SessionList>;

/** A related session: before or after a `/clear`, another conversation in its process, or a fork. */
export const RelatedSession = z.object({ id: z.string(), by: z.enum(['clear', 'resume', 'fork']) });
export type RelatedSession = z.infer<typeof RelatedSession>;

export const SessionPage = Session.extend({
  /** Every open request in full, the one that is shown first. */
  requests: z.array(Request),
  /** The first of them, if it is held. */
  pending: HeldRequest.nullable(),
  /** The latest closed requests and their outcome, newest last. */
  past: z.array(PastRequest),
  from: RelatedSession.nullable(),
  into: z.array(RelatedSession),
});
export type SessionPage = z.infer<typeof SessionPage>;

export const IndexState = z.object({
  on: z.boolean(),
  transcripts: z.number().int(),
  /** Indexed completely. */
  indexed: z.number().int(),
});
export type IndexState = z.infer<typeof IndexState>;

export const SetIndex = z.object({ on: z.boolean() });

/** A directory that sessions were started in. */
export const Project = z.object({
  dir: z.string(),
  /** The last part of `dir`. */
  project: z.string(),
  /** When a session was last active there, ms. */
  at: z.number().int(),
});
export type Project = z.infer<typeof Project>;

export const ProjectList = z.object({ projects: z.array(Project) });
export type ProjectList = z.infer<typeof ProjectList>;

export const ResumeSession = z
  .object({
    fork: z.boolean(),
    /** Whether it becomes a managed session. By default only when a program with a token asks. */
    managed: z.boolean(),
  })
  .partial();

/** The resumed session and its pane. */
export const Resumed = z.object({
  id: z.string(),
  /** The id of a fork. */
  copy: z.string().optional(),
  dir: z.string(),
  argv: z.array(z.string()),
  env: z.record(z.string(), z.string()).optional(),
  /** Null when it is a pane of another host. */
  pane: z.object({ socket: z.string(), id: z.string() }).nullable(),
});
export type Resumed = z.infer<typeof Resumed>;

export const Health = z.object({
  ok: z.literal(true),
  version: z.string(),
});
export type Health = z.infer<typeof Health>;

/** Problems with stored data. */
export const Faults = z.object({
  /** Rows of the database that were skipped since the start because they cannot be read. */
  unreadableRows: z.number().int(),
  /** Databases that were damaged and moved aside, oldest first. */
  damaged: z.array(z.object({ path: z.string(), at: z.number().int() })),
  /** Events that could not be written because the disk was full, and when that was last seen; null for never. */
  disk: z.object({ lost: z.number().int(), fullAt: z.number().int().nullable() }),
  /** Limits of the log that were reached: when last, by which session, and how much was removed in total. */
  limits: z.array(
    z.object({
      limit: z.enum(['session', 'total']),
      at: z.number().int(),
      sessionId: z.string().nullable(),
      events: z.number().int(),
      bytes: z.number().int(),
    }),
  ),
});
export type Faults = z.infer<typeof Faults>;

/** Whether the daemon uses config.json as it is now. */
export const ConfigStatus = z.object({
  /** Why the file was not applied; the daemon keeps the previous config. */
  problem: z.string().nullable(),
  /** Changed fields that apply after `drover restart`. */
  restart: z.array(z.string()),
});
export type ConfigStatus = z.infer<typeof ConfigStatus>;

/** The versions of Claude Code in use, as far as they are newer than what was tested. */
export const CliStatus = z.object({
  /** The newest version on which everything was tested. */
  newestTested: z.string(),
  /** Newer versions of live sessions. */
  untested: z.array(z.string()),
  /** Newer versions whose dialogs could not be read, with the kinds of requests: answers by keys do not work there. */
  unread: z.array(z.object({ version: z.string(), kinds: z.array(z.string()) })),
});
export type CliStatus = z.infer<typeof CliStatus>;

export const Status = z.object({
  version: z.string(),
  pid: z.number().int(),
  url: z.string().nullable(),
  home: z.string(),
  startedAt: z.number().int(),
  events: z.object({
    kept: z.number().int(),
    bytes: z.number().int(),
    last: z.number().int(),
    sinceStart: z.number().int(),
    doubled: z.number().int(),
    lastHookAt: z.number().int().nullable(),
  }),
  sessions: z.object({
    known: z.number().int(),
    live: z.number().int(),
    waiting: z.number().int(),
    /** Alive, but without hook events. */
    silent: z.number().int(),
  }),
  spool: z.object({
    files: z.number().int(),
    dropped: z.number().int(),
    aside: z.number().int(),
    /** Hook events of other tools, such as Cursor, that were ignored since the daemon started. */
    otherTools: z.number().int(),
    unsent: z.number().int(),
    full: z.boolean(),
  }),
  faults: Faults,
  readers: z.number().int(),
  /** CLIs that wait for `drover print --warm`, and their maximum. */
  warm: z.object({ ready: z.number().int(), size: z.number().int() }),
  notify: NotifyStatus,
  config: ConfigStatus,
  cli: CliStatus,
  errors: z.array(z.string()),
});
export type Status = z.infer<typeof Status>;

export const LogPage = z.object({
  events: z.array(EventView),
  /** The cursor that this page starts after. */
  after: z.number().int(),
  /** The `after` of the next page; null at the end. */
  next: z.number().int().nullable(),
});
export type LogPage = z.infer<typeof LogPage>;

export const Explanation = z.object({
  session: Session,
  /** How it reached its current state, newest last. */
  steps: z.array(Step),
  /** The last content of Claude's session file. */
  file: z.object({ status: z.string(), waitingFor: z.string().nullable(), at: z.number().int() }).nullable(),
  /** The open requests, one line each. */
  requests: z.array(z.string()),
  /** The newest hook, ms; 0 when there was none. */
  hookedAt: z.number().int(),
});
export type Explanation = z.infer<typeof Explanation>;

/** What a pane shows: lines of text, with colour sequences and no others. */
export const Screen = z.object({ text: z.string(), width: z.number().int(), height: z.number().int() });
export type Screen = z.infer<typeof Screen>;

export const SessionScreen = z.object({
  /** Null when it has no pane here, or the pane is gone. */
  screen: Screen.nullable(),
});
export type SessionScreen = z.infer<typeof SessionScreen>;

export const Forget = z
  .object({ id: z.string(), before: z.number().int(), all: z.literal(true) })
  .partial()
  .refine(value => Object.keys(value).length === 1, 'give one of id, before, all');
export type Forget = z.infer<typeof Forget>;

export const Forgotten = z.object({ sessions: z.number().int(), events: z.number().int() });
export type Forgotten = z.infer<typeof Forgotten>;
