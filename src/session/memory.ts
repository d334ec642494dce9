/** A session with what the fold remembers of it. Views show the session; the memory is the fold's own. */
import type { PastRequest } from '../contract/answer.ts';
import type { Detail, Evidence, Pending, Reason, Session, Step } from '../contract/session.ts';

/** Something that is on screen and wants an answer. */
export interface Ask {
  kind: Reason;
  tool: string | null;
  agent: string | null;
  detail: Detail;
  /** Fingerprint of the complete input: two requests with equal ones ask for the same thing. */
  print: string;
  /** Somebody answered it through Drover, and Claude Code has not said yet that it took the answer. */
  isAnswered: boolean;
  /** That answer was no: a result of its tool most likely belongs to another request. */
  isDenied: boolean;
  evidence: Evidence;
}

/** A request that Drover holds. */
export interface HeldRequest extends Pending {
  /** Its dialog is on the screen. The one of a subagent in the background may wait for the hook. */
  isShown: boolean;
}

/** A request that is over, with what its result is recognised by. */
export interface EndedRequest extends PastRequest {
  /** Fingerprint of its complete input. */
  print: string;
}

/** What Claude's own session file said last. */
export interface FileSays {
  status: string;
  waitingFor: string | null;
  evidence: Evidence;
  /** How late it was heard, ms: where all is slow, what follows comes later too. */
  lag: number;
}

/** How a turn ended. */
export interface TurnEnd {
  kind: 'stopped' | 'failed' | 'interrupted';
  detail: Detail | null;
  /** Background tasks that were running: what they are. */
  tasks: string[];
  evidence: Evidence;
}

export interface Memory {
  file: FileSays | null;
  /** When the CLI of this session began its present run, ms. */
  began: number;
  /** The newest prompt of this run (0: none yet), or the beginning of work that no hook told. */
  prompted: number;
  prompt: Evidence | null;
  end: TurnEnd | null;
  asks: Ask[];
  /** Up to this time no dialog was left on the screen, ms: a request from before it is over. */
  cleared: number;
  /** The requests that ended last, newest last. */
  past: EndedRequest[];
  /** What told that something asked was answered, newest. */
  answered: Evidence | null;
  /** The newest sign of work, ms. */
  progress: number;
  /** The tool that runs now. */
  tool: string | null;
  /** The newest call of a tool, a subagent's too, ms. */
  called: number;
  /** The newest hook of any kind (0: none ever), ms. */
  hooked: number;
  /** A hook of it came through the local spool. */
  spooled: boolean;
  /** The newest change that only a file told (0: none), ms. */
  unhooked: number;
  /** The latest moment that is known to have passed, ms. */
  settled: number;
  /** The CLI took its session file away itself: it is leaving in order. */
  leaving: boolean;
  /** What told that its process goes on under another id, while its own SessionEnd is awaited. */
  replaced: Evidence | null;
  /** Whether hooks of others may answer what it asks, in the moment in which it asks; null: not known. */
  approvers: boolean | null;
  /** The caller's own name for the start of this run, where the hub started it. */
  launchKey: string | null;
  /** A start of the hub's of which nobody has said how it went: where it is to be looked for. */
  launching: {
    socket: string;
    tmux: string;
    trust: boolean;
    /** Whether one that is taken up again was the hub's before; null: it is a new one. */
    was: boolean | null;
  } | null;
  /** Requests that Drover holds open, oldest first. */
  holds: HeldRequest[];
  /** Commands that follow one another there: which, and the message of the one that is under way. */
  commands: { run: string; message: string } | null;
  /** A `Settled` event is wanted at this time. */
  due: number | null;
  /** How it came to its present state, newest last. */
  trail: Step[];
}

export interface Folded extends Session {
  memory: Memory;
}

/** Counted up whenever `Folded` or its meaning changes: what an older Drover saved is then folded anew from the log. */
export const foldedShape = 19;

/** A session from a snapshot in the log, perhaps an older Drover's: what that one did not know is as in a new one. */
export const completed = (session: Folded, empty: Folded): Folded => {
  const { file, asks, holds } = session.memory;
  // Earlier versions called the deferral `hold`.
  const { hold, ...known } = session as Folded & { hold?: Folded['deferral'] };
  return {
    ...empty,
    ...known,
    deferral: known.deferral ?? hold ?? null,
    memory: {
      ...empty.memory,
      ...session.memory,
      file: file && { ...file, lag: file.lag ?? 0 },
      asks: (asks ?? []).map(completedAsk),
      holds: (holds ?? []).map(hold => ({ ...hold, isShown: hold.isShown ?? true })),
    },
  };
};

const completedAsk = (ask: Ask): Ask => ({
  ...ask,
  detail: { ...ask.detail, request: ask.evidence.seq, cut: ask.detail.cut ?? 0 },
  print: ask.print ?? '',
  isAnswered: ask.isAnswered ?? false,
  isDenied: ask.isDenied ?? false,
});

/** Whether a saved value is a session of this shape, as far as the fold relies on it. */
export const isFolded = (saved: object): saved is Folded => {
  const { id, state, since, evidence, memory } = saved as Partial<Folded>;
  const { asks, trail, holds } = memory ?? {};
  const hasSession = typeof id === 'string' && typeof state === 'string' && typeof since === 'number';
  return hasSession && typeof evidence === 'object' && [asks, trail, holds].every(Array.isArray);
};

/** What views see. */
export const shown = (folded: Folded): Session => {
  const { memory, ...session } = folded;
  void memory;
  return session;
};

export const emptyMemory = (began: number): Memory => ({
  file: null,
  began,
  prompted: 0,
  prompt: null,
  end: null,
  asks: [],
  cleared: 0,
  past: [],
  answered: null,
  progress: 0,
  tool: null,
  called: 0,
  hooked: 0,
  spooled: false,
  unhooked: 0,
  settled: 0,
  leaving: false,
  replaced: null,
  approvers: null,
  launchKey: null,
  launching: null,
  holds: [],
  commands: null,
  due: null,
  trail: [],
});
