/** The last message, plan or input when a session keeps only its beginning. */
import type { Hook } from '../../contract/hook.ts';
import type { Detail } from '../../contract/session.ts';
import type { Folded } from '../memory.ts';

/** Returns the detail with its complete text, from the event that it came with. It stays cut where the log no longer has that. */
export const wholeDetail = (session: Folded, payloadAt: (seq: number) => Hook | null): Detail | null => {
  const { detail, evidence, memory } = session;
  if (!detail || detail.cut === 0 || detail.text === null) return detail;
  const seqs = [detail.request, memory.end?.evidence.seq, evidence.seq];
  for (const seq of new Set(seqs)) {
    const text = typeof seq === 'number' ? textsIn(payloadAt(seq)).find(isWhole(detail)) : undefined;
    if (text !== undefined) return { ...detail, text, cut: 0 };
  }
  return detail;
};

/** A payload may hold several texts: the one that begins with what is shown and has the length that was noted. */
const isWhole =
  ({ text, cut }: Detail) =>
  (found: string): boolean =>
    found.length === (text?.length ?? 0) + cut && found.startsWith(text ?? '');

const textsIn = (payload: Hook | null): string[] => {
  const input = payload?.tool_input;
  const plan = typeof input === 'object' && input !== null ? (input as { plan?: unknown }).plan : null;
  const { last_assistant_message: said, error, message } = payload ?? {};
  return [said, error, message, plan, input === undefined ? null : JSON.stringify(input)].filter(
    text => typeof text === 'string',
  );
};
