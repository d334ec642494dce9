/** Reads a decision from the reply of an agent. A reply that is not understood decides nothing. */

export type AgentAnswer =
  | { decision: 'block' | 'deny'; reason: string | null }
  | { decision: 'allow' }
  /** It decided nothing. */
  | { decision: null }
  /** It replied in another form than requested. */
  | { decision: 'garbage'; quoted: string };

/** Parses the whole reply, or its last line that is a JSON object. */
export const answerIn = (text: string): AgentAnswer => {
  const reply = text.trim();
  if (reply === '') return { decision: null };
  const found = objectIn(reply) ?? reply.split('\n').toReversed().map(objectIn).find(Boolean);
  const garbage = { decision: 'garbage' as const, quoted: reply.slice(0, quotedLength) };
  if (!found) return garbage;
  const { decision, reason, message } = found;
  const why = [reason, message].find((words): words is string => typeof words === 'string' && words !== '');
  switch (decision) {
    case 'block':
    case 'deny':
      return { decision, reason: why ?? null };
    case 'allow':
    case 'approve':
      return { decision: 'allow' };
    case undefined:
    case null:
      return { decision: null };
    default:
      return garbage;
  }
};

const quotedLength = 200;

const objectIn = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
};

/** Why an answer does not continue the session; null if none was wanted. */
export const whyUndecided = (answer: AgentAnswer): string | null => {
  if (answer.decision === 'garbage') return `not understood, the session continued: ${answer.quoted}`;
  if (answer.decision === 'block') return 'block without a reason, the session continued';
  return answer.decision === 'deny' ? 'deny is not possible here, the session continued' : null;
};
