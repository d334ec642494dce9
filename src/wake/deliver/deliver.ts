/** Deliver wakes to agents. Failures are returned, not thrown, and each delivery has a time limit. */
import { withoutMarkers } from '../../claude/markers.ts';
import type { Destination, WakeAgent, WakeBundle } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { gsdBundleText } from '../message/gsd-text.ts';
import { truncatedBundleText, bundleText } from '../message/message.ts';
import { awaitDetached, type ExitResult, runDetached } from './detached-process.ts';
import { postWake } from './webhook.ts';

export interface DeliveryResult {
  /** What went wrong; null when it was delivered. */
  error: string | null;
  /** The agent's reply, if it gave one. */
  answer: string;
}

export interface DeliveryDeps {
  /** Where delivery programs write their results. */
  dir: string;
  env: Env;
  now: () => number;
  /** Types a message into another session; throws when it cannot. The same key is the same message. */
  send: (session: string, text: string, key: string) => Promise<void>;
  /** Whether a message with this key was sent. */
  wasSent: (key: string) => boolean;
}

/** Return where an agent receives its wakes; null when its entry does not say. */
export const destinationOf = ({ entry }: WakeAgent): Destination | { openclaw: string } | null => {
  if (entry.deliver) return entry.deliver;
  if (entry.openclaw_session_id) return { openclaw: entry.openclaw_session_id };
  return entry.parent ? { session: entry.parent } : null;
};

export const deliver = async (
  agent: WakeAgent,
  bundle: WakeBundle,
  deps: DeliveryDeps,
  ms: number = limits.wake.timeout,
): Promise<DeliveryResult> => {
  const to = destinationOf(agent);
  const full = () => (agent.settings.format === 'gsd' ? gsdBundleText(bundle) : bundleText(bundle));
  try {
    if (!to) return failed('the entry does not say where to deliver');
    if ('session' in to) {
      // What is typed carries the count of hops, which the other form has no place for.
      await deps.send(to.session, truncatedBundleText(bundle, limits.wake.messageBytes), bundle.id);
      return { error: null, answer: '' };
    }
    if ('webhook' in to) {
      const answer = await postWake(to, bundle.id, `${JSON.stringify(bundle)}\n`, deps.now(), ms);
      return { error: null, answer };
    }
    const text = () => truncatedBundleText(bundle, limits.wake.messageBytes, full());
    const argv = 'openclaw' in to ? openclaw(to.openclaw, text()) : to.command;
    const input = 'openclaw' in to ? '' : to.format === 'json' ? `${JSON.stringify(bundle)}\n` : full();
    const env = { ...withoutMarkers(deps.env), ...variables(bundle) };
    const wakes = bundle.wakes.map(({ wake }) => wake);
    return programResult(
      argv[0] as string,
      await runDetached(deps.dir, bundle.id, argv, input, env, ms, wakes),
    );
  } catch (error) {
    return failed((error as Error).message);
  }
};

/** Check whether the agent is reached by a program, whose result stays on disk. */
export const usesProgram = (agent: WakeAgent): boolean => {
  const to = destinationOf(agent);
  return to !== null && ('openclaw' in to || 'command' in to);
};

/** Find the result of a delivery that an earlier daemon began; null when it never started and may be tried again. */
export const earlierResult = async (
  agent: WakeAgent | undefined,
  bundle: string,
  { dir, wasSent }: DeliveryDeps,
): Promise<DeliveryResult | null> => {
  if (wasSent(bundle)) return { error: null, answer: '' };
  const ended = await awaitDetached(dir, bundle, limits.wake.timeout);
  return ended && programResult(agent?.id ?? 'it', ended);
};

const failed = (error: string): DeliveryResult => ({ error, answer: '' });

const openclaw = (session: string, text: string): string[] => [
  'openclaw',
  'agent',
  '--session-id',
  session,
  '--message',
  text,
];

const programResult = (program: string, { code, out, err }: ExitResult): DeliveryResult => {
  if (code === 0) return { error: null, answer: out };
  const how = code === null ? 'was killed or timed out' : `exited with ${code}`;
  return { error: `${program} ${how}${err.trim() ? `: ${err.trim()}` : ''}`, answer: out };
};

/** The fields of a wake as environment variables, for programs that do not parse the text. */
const variables = ({ id, agent_id: agent, digest, wakes }: WakeBundle): Env => {
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
