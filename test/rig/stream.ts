/** One answer of the Messages API as the events it streams. */
import { randomBytes } from 'node:crypto';
import type { Reply, Verdict } from './script.ts';

export interface ApiEvent {
  type: string;
  [field: string]: unknown;
}

interface Usage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
}

/** The pause between two lines of STREAM. */
const LINE_MS = 100;

/** The events of a reply in order, at the pace at which they are sent. `verdict`: of calls without their own; undefined if the request wants no check. */
export async function* eventsOf(
  reply: Exclude<Reply, { kind: 'fail' | 'limit' }>,
  { model, tokens, verdict }: { model: string; tokens: number; verdict: Verdict | undefined },
  pause: (ms: number) => Promise<void>,
): AsyncGenerator<ApiEvent> {
  const verdicts: [string, Verdict][] = [];
  const usage = { input_tokens: tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  yield { type: 'message_start', message: message(model, [], null, { ...usage, output_tokens: 1 }) };
  yield { type: 'ping' };
  if (reply.kind === 'tools') {
    const first = reply.before === undefined ? 0 : 1;
    if (reply.before !== undefined) yield* textBlock(reply.before);
    for (const [n, call] of reply.calls.entries()) {
      const index = first + n;
      const json = JSON.stringify(call.input);
      const id = newId('toolu');
      const block = { type: 'tool_use', id, name: call.name, input: {} };
      if (verdict !== undefined) verdicts.push([id, call.verdict ?? verdict]);
      yield { type: 'content_block_start', index, content_block: block };
      yield delta(index, { type: 'input_json_delta', partial_json: json });
      yield { type: 'content_block_stop', index };
    }
  } else {
    yield { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
    for await (const text of linesOf(reply, pause)) yield delta(0, { type: 'text_delta', text });
    yield { type: 'content_block_stop', index: 0 };
  }
  yield {
    type: 'message_delta',
    delta: {
      stop_reason: stopReason(reply),
      stop_sequence: null,
      ...safeguardResults(verdicts),
    },
    usage: { ...usage, output_tokens: 20 },
  };
  yield { type: 'message_stop' };
}

/** The verdicts as the real server sends them, in the delta of message_delta. */
function safeguardResults(verdicts: [string, Verdict][]): object {
  const toolUses = verdicts.flatMap(([id, verdict]) =>
    verdict === 'none' ? [] : [[id, evaluated(verdict)]],
  );
  if (toolUses.length === 0) return {};
  const status = { type: 'available', tool_uses: Object.fromEntries(toolUses) };
  return { safeguard_results: [{ type: 'dangerous_tool_use', status }] };
}

const evaluated = (verdict: Exclude<Verdict, 'none'>): object =>
  verdict === 'not flagged'
    ? { type: 'evaluated', outcome: 'not_flagged' }
    : { type: 'evaluated', outcome: 'flagged', explanation: verdict.flagged };

const stopReason = (reply: Exclude<Reply, { kind: 'fail' | 'limit' }>): string =>
  reply.kind === 'tools' ? 'tool_use' : (reply.kind === 'text' && reply.stop) || 'end_turn';

function* textBlock(text: string): Generator<ApiEvent> {
  yield { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
  yield delta(0, { type: 'text_delta', text });
  yield { type: 'content_block_stop', index: 0 };
}

/** The same answer in one piece, for a request that does not stream. */
export function wholeMessage(text: string, model: string, tokens: number): ApiEvent {
  const usage = { input_tokens: tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  return message(model, [{ type: 'text', text }], 'end_turn', { ...usage, output_tokens: 20 });
}

/** The body of an error response. */
export const errorBody = (status: number): ApiEvent => ({
  type: 'error',
  error: { type: errorTypes[status] ?? 'invalid_request_error', message: `The story asked for ${status}` },
});

const errorTypes: { [status: number]: string | undefined } = {
  401: 'authentication_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function message(model: string, content: object[], stop: string | null, usage: Usage): ApiEvent {
  return {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: stop,
    stop_sequence: null,
    usage,
  };
}

async function* linesOf(
  reply: Extract<Reply, { kind: 'text' | 'stream' }>,
  pause: (ms: number) => Promise<void>,
): AsyncGenerator<string> {
  if (reply.kind === 'text') yield reply.text;
  if (reply.kind !== 'stream') return;
  for (let line = 1; line <= reply.lines; line++) {
    yield `line ${line} of ${reply.lines}\n\n`;
    await pause(LINE_MS);
  }
}

const delta = (index: number, change: object): ApiEvent => ({
  type: 'content_block_delta',
  index,
  delta: change,
});

const newId = (kind: string): string => `${kind}_01${randomBytes(11).toString('hex')}`;
