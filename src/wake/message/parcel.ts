/** Wakes made into what an agent gets at once: each with its content, or, where they are many, a line for each. */
import type { Wake, WakeAgent, WakeMessage, WakeParcel } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';
import type { Folded } from '../../session/memory.ts';
import { isAboutRequest, type Sources, type Told, toldOf } from './content.ts';
import { messageOf, shareOf } from './message.ts';
import { requestOf } from './wake-request.ts';

export interface Packing {
  sources: Sources;
  /** The session as it is now. */
  sessionOf: (id: string) => Folded | undefined;
  now: () => number;
  /** Programs may type into this session. */
  mayDrive: (session: Folded) => boolean;
  mask: (text: string) => string;
}

/** Notes in each wake where its content is from. Every wake's session must be known. */
export const packed = async (
  id: string,
  agent: WakeAgent,
  wakes: Wake[],
  { sources, sessionOf, now, mayDrive, mask }: Packing,
): Promise<WakeParcel> => {
  const digest = wakes.length > limits.wake.fullWakes;
  const messages: WakeMessage[] = [];
  for (const wake of wakes) {
    const session = sessionOf(wake.sessionId) as Folded;
    const told = digest
      ? inShort(wake, session, sources)
      : await toldOf(wake, session, agent.settings, sources);
    wake.source = told.questions ? 'tool_input' : (told.content?.source ?? 'none');
    const writing = { agent, now: now(), most: shareOf(wakes.length), driven: mayDrive(session), mask };
    // The look at the pane took its time.
    messages.push(messageOf(wake, sessionOf(wake.sessionId) ?? session, told, writing));
  }
  return { format: 2, id, agent_id: agent.id, digest, wakes: messages };
};

/** For a digest: the line that every view shows. */
const inShort = (wake: Wake, session: Folded, { payloadAt }: Sources): Told => {
  const request = isAboutRequest(wake) ? requestOf(wake, session, payloadAt) : null;
  const detail = request?.detail ?? session.detail;
  return {
    content: detail ? { source: 'last_assistant_message', text: detail.line } : null,
    questions: null,
    context: session.context,
    counted: true,
    request,
  };
};
