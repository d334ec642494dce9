/** Combine wakes into one bundle for an agent: each with its content, or a digest when there are many. */
import type { ContentSource, Wake, WakeAgent, WakeMessage, WakeBundle } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';
import type { Folded } from '../../session/memory.ts';
import { isAboutRequest, type ContentSources, type WakeFacts, collectFacts } from './content.ts';
import { isOvertaken } from '../outbox/overtaken.ts';
import { buildMessage, shareOf } from './message.ts';
import { requestOf } from './wake-request.ts';

export interface BundleDeps {
  sources: ContentSources;
  /** Returns the current state of a session. */
  sessionOf: (id: string) => Folded | undefined;
  now: () => number;
  /** Drover may type into this session. */
  mayDrive: (session: Folded) => boolean;
  mask: (text: string) => string;
}

/** Build a bundle. Every wake's session must be known. */
export const buildBundle = async (
  id: string,
  agent: WakeAgent,
  wakes: Wake[],
  { sources, sessionOf, now, mayDrive, mask }: BundleDeps,
): Promise<WakeBundle> => {
  const digest = wakes.length > limits.wake.fullWakes;
  const messages: WakeMessage[] = [];
  for (const wake of wakes) {
    const session = sessionOf(wake.sessionId) as Folded;
    const facts = digest
      ? digestFacts(wake, session, sources)
      : await collectFacts(wake, session, agent.settings, sources);
    const options = { agent, now: now(), maxBytes: shareOf(wakes.length), driven: mayDrive(session), mask };
    // Read the session again: it may have changed while the pane was captured.
    messages.push(buildMessage(wake, sessionOf(wake.sessionId) ?? session, facts, options));
  }
  return { format: 2, id, agent_id: agent.id, digest, wakes: messages };
};

/** Where the content of a message comes from. */
export const sourceOf = ({ questions, content }: WakeMessage): ContentSource =>
  questions ? 'tool_input' : (content?.source ?? 'none');

/** Collect the facts for a digest: only the line that every view shows. */
const digestFacts = (wake: Wake, session: Folded, { payloadAt }: ContentSources): WakeFacts => {
  const request = isAboutRequest(wake) ? requestOf(wake, session, payloadAt) : null;
  const detail = request?.detail ?? session.detail;
  return {
    pane: null,
    overtaken: isOvertaken(wake, session),
    content: detail ? { source: 'last_assistant_message', text: detail.line } : null,
    questions: null,
    context: session.context,
    isCurrentUse: true,
    request,
  };
};
