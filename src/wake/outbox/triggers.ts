/** Finds the trigger events in a commit. Pure: the fold has already decided what each session does and requests. */
import type { Hook } from '../../contract/hook.ts';
import type { Reason, State } from '../../contract/session.ts';
import type { Trigger, Wake } from '../../contract/wake.ts';
import type { Commit } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';
import { notificationName } from '../../session/reduce-hook.ts';
import { isOvertaken } from './overtaken.ts';

/** Something that agents are woken for. */
export interface TriggerEvent {
  trigger: Trigger;
  /** Its turn or its tool call: the same key is the same trigger event. */
  key: string;
  /** The event in the log. */
  seq: number;
  /** The turn continued because a hook blocked its Stop. */
  continuation: boolean;
}

/** The payload of an event in the log. */
export type PayloadAt = (seq: number) => Hook | null;

/** The trigger events of a commit, each with its session. */
export const triggerEventsOf = (
  { event, changed }: Commit,
  payloadAt: PayloadAt,
  /** No other hook can continue this session after its Stop. */
  isFinal: (session: Folded) => boolean,
): { session: Folded; triggerEvent: TriggerEvent }[] =>
  changed.flatMap(({ before, after }) => {
    const found: TriggerEvent[] = [];
    const was = before ? currentEvents(before, payloadAt) : [];
    found.push(...currentEvents(after, payloadAt).filter(now => !was.some(then => isSame(then, now))));
    if (after.id === event.sessionId && event.source === 'hook')
      found.push(...hookEvents(event.name, event.seq, after, payloadAt, isFinal));
    return found.map(triggerEvent => ({ session: after, triggerEvent }));
  });

/** Whether a wake still applies: a dialog until it is answered, the end of a turn unless a hook kept that turn going. */
export const stillApplies = (
  wake: Pick<Wake, 'trigger' | 'key' | 'seq'>,
  session: Folded | undefined,
  payloadAt: PayloadAt,
): boolean => {
  if (!session) return false;
  const { trigger, key } = wake;
  if (isOvertaken(wake, session)) return true;
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
      return currentEvents(session, payloadAt).some(now => isSame({ ...now, trigger, key }, now));
    }
  }
};

/** The trigger events of a session's present state: none while it works, one for each open request while it waits. */
const currentEvents = (session: Folded, payloadAt: PayloadAt): TriggerEvent[] => {
  const { state, reason, evidence, memory } = session;
  const triggerEvent = (trigger: Trigger, key: string, seq = evidence.seq): TriggerEvent => ({
    trigger,
    key,
    seq,
    continuation: key.endsWith(continued),
  });
  // A parked session continues at the next message.
  if (state === 'ended') return session.parked ? [] : [triggerEvent('session_end', String(evidence.seq))];
  if (state === 'background')
    return [triggerEvent('response_complete', turnKey(session, payloadAt), memory.end?.evidence.seq)];
  const trigger = state === 'waiting' && reason ? triggers[reason] : undefined;
  if (!trigger) return [];
  // That Claude Code idles is the only sign of this end: `idle_prompt` reports it.
  if (trigger === 'response_complete' && memory.end?.evidence.name === notificationName) return [];
  if (trigger === 'response_complete')
    return [triggerEvent(trigger, turnKey(session, payloadAt), memory.end?.evidence.seq)];
  if (trigger === 'interrupted' || trigger === 'failed') return [triggerEvent(trigger, turnOf(session))];
  const asked = memory.requests.map(({ kind, evidence: { seq } }) =>
    triggerEvent(triggers[kind] ?? trigger, String(seq), seq),
  );
  return asked.length > 0 ? asked : [triggerEvent(trigger, `${unasked}${session.since}`)];
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
  limit: 'failed',
};

/** The trigger events of a hook that changes no state. */
const hookEvents = (
  name: string,
  seq: number,
  session: Folded,
  payloadAt: PayloadAt,
  isFinal: (session: Folded) => boolean,
): TriggerEvent[] => {
  const one = (trigger: Trigger, key: string) => [
    { trigger, key, seq, continuation: key.endsWith(continued) },
  ];
  switch (name) {
    case 'Stop': {
      // The fold waits a moment for the file to agree, because another hook may block it.
      const isLast = session.memory.end?.evidence.seq === seq;
      return isLast && isFinal(session) ? one('response_complete', turnKey(session, payloadAt)) : [];
    }
    case 'PreCompact':
      return one('pre_compact', String(seq));
    case notificationName:
      return payloadAt(seq)?.notification_type === 'idle_prompt' && idles.includes(session.state)
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

/** A session that has no prompt yet idles too. One that works does not, whatever a late notification says. */
const idles: State[] = ['waiting', 'ready', 'background'];

/** Whether two trigger events are the same one: a dialog known from a file may get its hook a moment later. */
const isSame = (a: TriggerEvent | null, b: TriggerEvent): boolean =>
  a?.trigger === b.trigger && (a.key === b.key || a.key.startsWith(unasked) || b.key.startsWith(unasked));

const unasked = 'since ';
const continued = ' continued';

/** A turn is identified by its prompt. */
const turnOf = ({ memory }: Folded): string => String(memory.turn);

/** The end of a turn; a turn that a hook kept going ends again. */
const turnKey = (session: Folded, payloadAt: PayloadAt): string => {
  const { end, prompted, turn } = session.memory;
  const stop = end && end.evidence.at >= prompted ? payloadAt(end.evidence.seq) : null;
  return `${turn}${stop?.stop_hook_active === true ? continued : ''}`;
};

/**
 * The key of a decision. An agent may keep a turn going and decide again, so each Stop has its own key. The key of the turn is
 * left to the wake that reports its end.
 */
export const decisionKey = (trigger: Trigger, seq: number): string =>
  trigger === 'response_complete' ? `stop ${seq}` : String(seq);

const lastStop = ({ memory: { end, prompted } }: Folded): string | null =>
  end && end.evidence.at >= prompted ? decisionKey('response_complete', end.evidence.seq) : null;
