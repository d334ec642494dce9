/** Find the request that a wake is about: the one whose event fired it, whatever else is open in the session. */
import type { Hook } from '../../contract/hook.ts';
import type { Detail } from '../../contract/session.ts';
import type { Wake } from '../../contract/wake.ts';
import { headRequest } from '../../session/request/requests.ts';
import { toolDetail } from '../../session/request/detail.ts';
import type { Folded } from '../../session/memory.ts';

export interface WakeRequest {
  /** Null when only the session file reports the request, so that no answer can name it. */
  id: number | null;
  detail: Detail;
  /** The complete input from the hook; null when its hook did not arrive. */
  input: Record<string, unknown> | null;
  /** A text that its dialog certainly shows; null when there is none. */
  shows: string | null;
}

export const requestOf = (
  { seq }: Pick<Wake, 'seq'>,
  { memory, detail }: Folded,
  payloadAt: (seq: number) => Hook | null,
): WakeRequest | null => {
  const ask = memory.requests.find(({ evidence }) => evidence.seq === seq);
  const hook = payloadAt(seq);
  const isRequest =
    ask?.evidence.name === 'PermissionRequest' || hook?.hook_event_name === 'PermissionRequest';
  if (hook && isRequest) {
    const input = objectOf(hook.tool_input);
    return { id: seq, detail: ask?.detail ?? toolDetail(hook), input, shows: shownBy(hook, input) };
  }
  const head = ask ?? headRequest(memory);
  if (!head) return detail && { id: null, detail, input: null, shows: null };
  return { id: head.evidence.seq, detail: head.detail, input: null, shows: null };
};

/** Check whether `drover answer` reaches a request now, or will as soon as its hook arrives. */
export const isAnswerable = ({ requests, approvals, memory }: Folded, id: number | null): boolean => {
  const open = requests.find(request => request.id === id);
  if (!open || open.until !== null) return open !== undefined;
  const ask = memory.requests.find(({ evidence }) => evidence.seq === id);
  const isReleased = memory.past.some(past => past.id === id);
  return approvals === 'held' && ask?.evidence.name === 'PermissionRequest' && !isReleased;
};

/** Return a text that the dialog of a tool always shows, to tell it from another dialog. */
const shownBy = ({ tool_name: tool }: Hook, input: Record<string, unknown>): string | null => {
  const text = (name: string) => (typeof input[name] === 'string' ? input[name] : '');
  switch (tool) {
    case 'Bash':
      return firstLine(text('command'));
    case 'WebFetch':
      return firstLine(text('url'));
    case 'Write':
    case 'Edit':
    case 'MultiEdit':
    case 'NotebookEdit':
      return firstLine(text('file_path').split('/').at(-1) ?? '');
    case 'ExitPlanMode':
      return 'Would you like to proceed?';
    case 'AskUserQuestion':
      return firstLine(toolDetail({ tool_name: tool, tool_input: input }).questions[0]?.question ?? '');
    default:
      return null;
  }
};

const firstLine = (text: string): string | null => {
  const [line = ''] = text.trim().split('\n');
  // Screens show tabs and control characters differently, so such a line cannot be compared.
  return line === '' || /[\x00-\x1f\x7f-\x9f]/.test(line) ? null : line.slice(0, 100);
};

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
