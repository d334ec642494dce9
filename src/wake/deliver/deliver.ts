/** The ways to an agent. Each says what went wrong instead of throwing, and none is waited for longer than its time. */
import { withoutMarkers } from '../../claude/markers.ts';
import type { Destination, WakeAgent, WakeParcel } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { cappedText, parcelText } from '../message/message.ts';
import { type Ended, keptEnd, runKept } from './kept-process.ts';
import { postWake } from './webhook.ts';

export interface Delivered {
  /** What went wrong; null: it arrived. */
  error: string | null;
  /** What the agent said to it, where it says anything. */
  answer: string;
}

export interface Ways {
  /** Where programs that run leave how they end. */
  dir: string;
  env: Env;
  now: () => number;
  /** Types a message into another session; throws why not. The same key again is the same message. */
  send: (session: string, text: string, key: string) => Promise<void>;
  /** Whether a message with this key was sent. */
  wasSent: (key: string) => boolean;
}

/** Where an agent is reached; null when its entry does not say. */
export const destinationOf = ({ entry }: WakeAgent): Destination | { openclaw: string } | null => {
  if (entry.deliver) return entry.deliver;
  if (entry.openclaw_session_id) return { openclaw: entry.openclaw_session_id };
  return entry.parent ? { session: entry.parent } : null;
};

export const deliver = async (
  agent: WakeAgent,
  parcel: WakeParcel,
  ways: Ways,
  ms: number = limits.wake.timeout,
): Promise<Delivered> => {
  const to = destinationOf(agent);
  const text = () => cappedText(parcel, limits.wake.messageBytes);
  try {
    if (!to) return failed('the entry does not say where to deliver');
    if ('session' in to) {
      await ways.send(to.session, text(), parcel.id);
      return { error: null, answer: '' };
    }
    if ('webhook' in to) {
      const answer = await postWake(to, parcel.id, `${JSON.stringify(parcel)}\n`, ways.now(), ms);
      return { error: null, answer };
    }
    const argv = 'openclaw' in to ? openclaw(to.openclaw, text()) : to.command;
    const input =
      'openclaw' in to ? '' : to.format === 'json' ? `${JSON.stringify(parcel)}\n` : parcelText(parcel);
    const env = { ...withoutMarkers(ways.env), ...variables(parcel) };
    const wakes = parcel.wakes.map(({ wake }) => wake);
    return deliveredBy(argv[0] as string, await runKept(ways.dir, parcel.id, argv, input, env, ms, wakes));
  } catch (error) {
    return failed((error as Error).message);
  }
};

/** The agent is reached by a program of its own, which leaves behind how it ended. */
export const isProgram = (agent: WakeAgent): boolean => {
  const to = destinationOf(agent);
  return to !== null && ('openclaw' in to || 'command' in to);
};

/** How a delivery ended that an earlier daemon began; null when it may be begun anew. */
export const deliveredBefore = async (
  agent: WakeAgent | undefined,
  parcel: string,
  { dir, wasSent }: Ways,
): Promise<Delivered | null> => {
  if (wasSent(parcel)) return { error: null, answer: '' };
  const ended = await keptEnd(dir, parcel, limits.wake.timeout);
  return ended && deliveredBy(agent?.id ?? 'it', ended);
};

const failed = (error: string): Delivered => ({ error, answer: '' });

const openclaw = (session: string, text: string): string[] => [
  'openclaw',
  'agent',
  '--session-id',
  session,
  '--message',
  text,
];

const deliveredBy = (program: string, { code, out, err }: Ended): Delivered => {
  if (code === 0) return { error: null, answer: out };
  const how = code === null ? 'was ended, or took too long' : `ended with ${code}`;
  return { error: `${program} ${how}${err.trim() ? `: ${err.trim()}` : ''}`, answer: out };
};

/** The fields of a wake for a program that does not want to read the text. */
const variables = ({ id, agent_id: agent, digest, wakes }: WakeParcel): Env => {
  const [first] = wakes;
  return {
    DROVER_WAKE: id,
    DROVER_WAKE_AGENT: agent,
    DROVER_WAKE_COUNT: String(wakes.length),
    DROVER_WAKE_DIGEST: String(digest),
    ...(first && {
      DROVER_WAKE_SESSION: first.identity.session,
      DROVER_WAKE_TMUX: first.identity.tmux_session_name ?? '',
      DROVER_WAKE_DIRECTORY: first.identity.directory ?? '',
      DROVER_WAKE_TRIGGER: first.trigger.type,
      DROVER_WAKE_STATE: first.state,
      DROVER_WAKE_SOURCE: first.content?.source ?? 'none',
      DROVER_WAKE_PRESSURE: first.pressure?.level ?? 'unknown',
    }),
  };
};
