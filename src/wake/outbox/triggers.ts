/** From what happened to what an agent is told of. Pure: the fold has decided already what a session does and asks. */
import type { Hook } from '../../contract/hook.ts';
import type { Reason } from '../../contract/session.ts';
import type { Trigger, Wake } from '../../contract/wake.ts';
import type { Commit } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';

/** Something worth telling. */
export interface Occasion {
  trigger: Trigger;
  /** Its turn or its tool call: the same again is the same occasion. */
  key: string;
  /** The event that says so. */
  seq: number;
  /** The turn went on because a hook blocked its Stop. */
  continuation: boolean;
}

/** The payload of an event in the log. */
export type PayloadAt = (seq: number) => Hook | null;

/** What an event gives reason to tell, and of which session. */
export const occasionsOf = (
  { event, changed }: Commit,
  payloadAt: PayloadAt,
  /** A Stop of this session is its last word: nobody else can make it go on. */
  isFinal: (session: Folded) => boolean,
): { session: Folded; occasion: Occasion }[] =>
  changed.flatMap(({ before, after }) => {
    const found: Occasion[] = [];
    const was = before ? standing(before, payloadAt) : [];
    found.push(...standing(after, payloadAt).filter(now => !was.some(then => isSame(then, now))));
    if (after.id === event.sessionId && event.source === 'hook')
      found.push(...told(event.name, event.seq, after, payloadAt, isFinal));
    return found.map(occasion => ({ session: after, occasion }));
  });

/** Whether what a wake tells is still so. A turn's end stays true until the next prompt; a dialog until it is answered. */
export const stillStands = (
  { trigger, key }: Pick<Wake, 'trigger' | 'key'>,
  session: Folded | undefined,
  payloadAt: PayloadAt,
): boolean => {
  if (!session) return false;
  switch (trigger) {
    case 'session_end':
      return session.state === 'ended';
    case 'ask_user_question_answered':
    case 'pre_compact':
      return true;
    case 'response_complete':
      return key === turnKey(session, payloadAt) || key === lastStop(session);
    case 'idle_prompt':
    case 'interrupted':
    case 'failed':
      return turnOf(session) === key;
    default: {
      return standing(session, payloadAt).some(now => isSame({ ...now, trigger, key }, now));
    }
  }
};

/** What a session stands at now: nothing while it works, and each open request while it asks. */
const standing = (session: Folded, payloadAt: PayloadAt): Occasion[] => {
  const { state, reason, evidence, memory } = session;
  const occasion = (trigger: Trigger, key: string, seq = evidence.seq): Occasion => ({
    trigger,
    key,
    seq,
    continuation: key.endsWith(continued),
  });
  if (state === 'ended') return [occasion('session_end', String(evidence.seq))];
  if (state === 'background') return [occasion('response_complete', turnKey(session, payloadAt))];
  const trigger = state === 'waiting' && reason ? triggers[reason] : undefined;
  if (!trigger) return [];
  if (trigger === 'response_complete')
    return [occasion(trigger, turnKey(session, payloadAt), memory.end?.evidence.seq)];
  if (trigger === 'interrupted' || trigger === 'failed') return [occasion(trigger, turnOf(session))];
  const asked = memory.asks.map(({ kind, evidence: { seq } }) =>
    occasion(triggers[kind] ?? trigger, String(seq), seq),
  );
  return asked.length > 0 ? asked : [occasion(trigger, `${unasked}${session.since}`)];
};

const triggers: Partial<Record<Reason, Trigger>> = {
  stopped: 'response_complete',
  permission: 'permission_prompt',
  question: 'ask_user_question',
  plan: 'plan',
  elicitation: 'dialog',
  dialog: 'dialog',
  interrupted: 'interrupted',
  failed: 'failed',
};

/** What a hook tells that changes no state. */
const told = (
  name: string,
  seq: number,
  session: Folded,
  payloadAt: PayloadAt,
  isFinal: (session: Folded) => boolean,
): Occasion[] => {
  const one = (trigger: Trigger, key: string) => [
    { trigger, key, seq, continuation: key.endsWith(continued) },
  ];
  switch (name) {
    case 'Stop': {
      // The fold waits a moment for the file to agree, because another hook may block it.
      const heard = session.memory.end?.evidence.seq === seq;
      return heard && isFinal(session) ? one('response_complete', turnKey(session, payloadAt)) : [];
    }
    case 'PreCompact':
      return one('pre_compact', String(seq));
    case 'Notification':
      return payloadAt(seq)?.notification_type === 'idle_prompt' && session.state === 'waiting'
        ? one('idle_prompt', turnOf(session))
        : [];
    case 'PostToolUse': {
      const hook = payloadAt(seq);
      if (hook?.tool_name !== 'AskUserQuestion') return [];
      const call = typeof hook.tool_use_id === 'string' ? hook.tool_use_id : String(seq);
      return one('ask_user_question_answered', call);
    }
    default:
      return [];
  }
};

/** A dialog that only a file has told of may get its hook a moment later: it is the same one. */
const isSame = (a: Occasion | null, b: Occasion): boolean =>
  a?.trigger === b.trigger && (a.key === b.key || a.key.startsWith(unasked) || b.key.startsWith(unasked));

const unasked = 'since ';
const continued = ' continued';

/** A turn is known by its prompt. */
const turnOf = ({ memory }: Folded): string => String(memory.prompted);

/** The end of a turn; one that a hook made go on ends another time. */
const turnKey = (session: Folded, payloadAt: PayloadAt): string => {
  const { end, prompted } = session.memory;
  const stop = end && end.evidence.at >= prompted ? payloadAt(end.evidence.seq) : null;
  return `${prompted}${stop?.stop_hook_active === true ? continued : ''}`;
};

/**
 * What an agent is asked while the hook waits. It may make the turn go on and be asked again, so each Stop is known by itself:
 * the turn's own key is left to the wake that says how it ended, where nobody is asked any more.
 */
export const askedKey = (trigger: Trigger, seq: number): string =>
  trigger === 'response_complete' ? `stop ${seq}` : String(seq);

const lastStop = ({ memory: { end, prompted } }: Folded): string | null =>
  end && end.evidence.at >= prompted ? askedKey('response_complete', end.evidence.seq) : null;
