/** A session with what the fold remembers about it. Views show the session; only the fold reads the memory. */
import type { PastRequest } from '../contract/answer.ts';
import type {
  Detail,
  Evidence,
  Outcome,
  Pending,
  Reason,
  RunningTask,
  Session,
  SessionLimit,
  Step,
} from '../contract/session.ts';
import { outcomeOf } from './outcome/outcome.ts';

/** A request or dialog that waits for an answer. */
export interface SessionRequest {
  kind: Reason;
  tool: string | null;
  agent: string | null;
  detail: Detail;
  /** Fingerprint of the complete input. Requests with equal ones are the same to a person. */
  print: string;
  /** It was answered through Drover, and Claude Code has not confirmed that yet. */
  isAnswered: boolean;
  /** That answer was a denial: a result of its tool most likely belongs to another request. */
  isDenied: boolean;
  /** When Claude Code denies it by itself, as its dialog counts down, ms. */
  deadline: number | null;
  evidence: Evidence;
}

/** A request whose hook waits for an answer. */
export interface HeldRequest extends Pending {
  /** Its dialog is on the screen. That of a subagent in the background may appear only after the hook. */
  isShown: boolean;
}

/** A request that is over, with the fingerprint that identifies its result. */
export interface EndedRequest extends PastRequest {
  /** Fingerprint of its complete input. */
  print: string;
  /** Its tool, where Claude Code denied it at its deadline. */
  tool?: string | null;
}

/** The latest content of Claude's own session file. */
export interface FileContent {
  status: string;
  waitingFor: string | null;
  /** The process that wrote it; null: not known. */
  pid?: number | null;
  evidence: Evidence;
  /** How late it arrived, ms. On a slow machine the next events are late too. */
  lag: number;
}

/** The usage limit that ended a turn. */
export type LimitEnd = Omit<SessionLimit, 'isOver'>;

/** How a turn ended. */
export interface TurnEnd {
  kind: 'stopped' | 'failed' | 'interrupted';
  detail: Detail | null;
  /** What it means to the person; null for an interrupt and for an error. */
  outcome: Outcome | null;
  /** Why it failed, as Claude Code names it. */
  failure: string | null;
  limit: LimitEnd | null;
  /** The background tasks that were still running. */
  tasks: RunningTask[];
  evidence: Evidence;
}

/** A tool call: its id, the event that it began with, and the subagent that it was made in. */
export interface OpenCall {
  id: string;
  seq: number;
  inside: string | null;
}

export interface Memory {
  file: FileContent | null;
  /** When the CLI of this session started its present run, ms. */
  began: number;
  /** The newest prompt of this run (0: none yet), or the start of work that no hook reported. */
  prompted: number;
  prompt: Evidence | null;
  /** The name of the turn: the time of its prompt as it was reported. Unlike other times it stays when the clock is set. */
  turn: number;
  end: TurnEnd | null;
  requests: SessionRequest[];
  /** At this time no dialog was on the screen, ms: earlier requests are over. */
  cleared: number;
  /** The requests that ended last, newest last. */
  past: EndedRequest[];
  /** The newest event that showed that a request was answered. */
  answered: Evidence | null;
  /** The newest sign of work, ms. */
  progress: number;
  /** The running tool. */
  tool: string | null;
  /** The newest tool call, including those of subagents, ms. */
  called: number;
  /** The tool calls that have begun and have no result, oldest first. */
  calls: OpenCall[];
  /** The newest hook of any kind (0: none ever), ms. */
  hooked: number;
  /** Background shells that were running at a Stop, and the first Stop at which they were, ms. */
  shells: { [id: string]: number };
  /** One of its hooks came through the local spool. */
  spooled: boolean;
  /** The pane that a posted hook named. Used only where tmux and the process agree with it. */
  hintPane: string | null;
  /** The newest change that only a file reported (0: none), ms. */
  unhooked: number;
  /** The latest time that is known to have passed, ms: that of the newest `Settled` event. */
  settled: number;
  /** The CLI removed its session file itself: it is shutting down normally. */
  leaving: boolean;
  /** The event that showed that its process continues under another id; its own SessionEnd is still expected. */
  replaced: Evidence | null;
  /** Whether other hooks are registered that may answer its permission requests; null: not known. */
  approvers: boolean | null;
  /** The caller's key for the start of this run, if the hub started it. */
  launchKey: string | null;
  /** A start by the hub whose outcome is not known yet, and where to look for it. */
  launching: {
    socket: string;
    tmux: string;
    trust: boolean;
    /** For a resume: whether the session was managed before. Null: it is a new session. */
    was: boolean | null;
    /** Whether it was parked before: it is again if it cannot be started. */
    parked?: boolean;
  } | null;
  /** When Drover began to park it, ms. */
  parking: number | null;
  /** Requests that Drover holds open, oldest first. */
  holds: HeldRequest[];
  /** The running sequence of commands, and the message of the current one. */
  commands: { run: string; message: string } | null;
  /** A `Settled` event is wanted at this time. */
  due: number | null;
  /** The steps that led to its present state, newest last. */
  trail: Step[];
}

/** The names of a session by their source. They outlive its runs, unlike the memory. */
export interface Names {
  /** Given by a person: here, or in Claude Code; the newest of both. */
  person: string | null;
  /** The name that Claude Code last reported as given by a person. */
  inClaude: string | null;
  /** Generated by Claude Code. */
  generated: string | null;
}

export interface Folded extends Session {
  names: Names;
  memory: Memory;
}

/** Increment whenever `Folded` or its meaning changes: sessions saved by an older version are then folded again from the log. */
export const foldedShape = 31;

/** Completes a session from a snapshot in the log, perhaps of an older version: missing fields get their initial values. */
export const completed = (session: Folded, empty: Folded): Folded => {
  // Earlier versions called the requests `asks` and the deferral `hold`.
  const { asks, ...remembered } = session.memory as Memory & { asks?: SessionRequest[] };
  const { file, requests = asks, holds, end, turn = remembered.prompted } = remembered as Partial<Memory>;
  const { hold, ...known } = session as Folded & { hold?: Folded['deferral'] };
  return {
    ...empty,
    ...known,
    names: { ...empty.names, ...known.names },
    deferral: completedDeferral(known.deferral ?? hold ?? null),
    memory: {
      ...empty.memory,
      ...remembered,
      turn: turn ?? 0,
      file: file ? { ...file, lag: file.lag ?? 0 } : null,
      end: end ? completedEnd(end) : null,
      requests: (requests ?? []).map(completedRequest),
      holds: (holds ?? []).map(hold => ({ ...hold, isShown: hold.isShown ?? true })),
    },
  };
};

const completedDeferral = (deferral: Folded['deferral']): Folded['deferral'] =>
  deferral && { ...deferral, seen: deferral.seen ?? null };

/** Earlier versions kept neither what an end means nor why a turn failed. */
const completedEnd = (end: TurnEnd): TurnEnd => ({
  ...end,
  outcome: end.outcome ?? (end.kind === 'stopped' ? outcomeOf(end.detail?.text) : null),
  failure: end.failure ?? null,
  limit: end.limit ?? null,
  tasks: end.tasks.map(completedTask),
});

/** Earlier versions kept only the kind of a task. */
const completedTask = (task: RunningTask | string): RunningTask =>
  typeof task === 'string' ? { id: task, type: task, what: null } : task;

const completedRequest = (request: SessionRequest): SessionRequest => ({
  ...request,
  detail: { ...request.detail, request: request.evidence.seq, cut: request.detail.cut ?? 0 },
  print: request.print ?? '',
  isAnswered: request.isAnswered ?? false,
  isDenied: request.isDenied ?? false,
  deadline: request.deadline ?? null,
});

/** Whether a saved value has the fields that the fold relies on. */
export const isFolded = (saved: object): saved is Folded => {
  const { id, state, since, evidence, memory } = saved as Partial<Folded>;
  const { requests, trail, holds } = memory ?? {};
  const hasSession = typeof id === 'string' && typeof state === 'string' && typeof since === 'number';
  return hasSession && typeof evidence === 'object' && [requests, trail, holds].every(Array.isArray);
};

/** Returns the session without what only the fold reads. */
export const shown = (folded: Folded): Session => {
  const { memory, names, ...session } = folded;
  void memory;
  void names;
  return session;
};

export const noNames: Names = { person: null, inClaude: null, generated: null };

export const emptyMemory = (began: number): Memory => ({
  file: null,
  began,
  prompted: 0,
  prompt: null,
  turn: 0,
  end: null,
  requests: [],
  cleared: 0,
  past: [],
  answered: null,
  progress: 0,
  tool: null,
  called: 0,
  calls: [],
  hooked: 0,
  shells: {},
  spooled: false,
  hintPane: null,
  unhooked: 0,
  settled: 0,
  leaving: false,
  replaced: null,
  approvers: null,
  launchKey: null,
  launching: null,
  parking: null,
  holds: [],
  commands: null,
  due: null,
  trail: [],
});
