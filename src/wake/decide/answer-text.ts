/** What an agent said to a question, as a decision. An agent is a program or a model: whatever is not understood decides nothing. */

export type AgentAnswer =
  | { decision: 'block' | 'deny'; reason: string | null }
  | { decision: 'allow' }
  /** It said nothing that decides. */
  | { decision: null }
  /** It said something, and not in the form that was asked for. */
  | { decision: 'garbage'; said: string };

/** One JSON object: all that was said, or its last line that is one. */
export const answerIn = (text: string): AgentAnswer => {
  const said = text.trim();
  if (said === '') return { decision: null };
  const found = objectIn(said) ?? said.split('\n').toReversed().map(objectIn).find(Boolean);
  const garbage = { decision: 'garbage' as const, said: said.slice(0, saidLength) };
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

const saidLength = 200;

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

/** Why an answer makes nothing go on; null where none was wanted. */
export const undecided = (answer: AgentAnswer): string | null => {
  if (answer.decision === 'garbage') return `not understood, the session went on: ${answer.said}`;
  if (answer.decision === 'block') return 'block without a reason, the session went on';
  return answer.decision === 'deny' ? 'deny does not fit here, the session went on' : null;
};
