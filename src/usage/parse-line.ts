/** Reads usage and bills from the lines of a transcript. */
import type { UsageBill, UsageMessage } from '../store/usage/usage-sums.ts';
import { modelName, tierOf } from './prices.ts';

/** What one line says; lines that say nothing about usage are null. */
export type LineUsage = { message: UsageMessage } | { bills: UsageBill[] };

/** What the lines contain that are about usage. */
export const usageMarks = ['"output_tokens"', '"cost-state"'];

/** The session of the file owns lines that name no session; `before` is the time of a line without one. */
export const parseLine = (
  text: string,
  file: { sessionId: string; created: number },
  before: () => number,
): LineUsage | null => {
  const line = parse(text);
  if (!line) return null;
  const sessionId = name(line.sessionId) ?? file.sessionId;
  const stamp = typeof line.timestamp === 'string' ? Date.parse(line.timestamp) : Number.NaN;
  if (line.type === 'cost-state')
    return { bills: billsOf(line, sessionId, Number.isNaN(stamp) ? before() : stamp) };
  const message = objectOf(line.message);
  const usage = objectOf(message?.usage);
  const model = name(message?.model);
  const id = name(message?.id);
  if (line.type !== 'assistant' || line.isApiErrorMessage === true || Number.isNaN(stamp)) return null;
  if (!usage || !model || !id || model === '<synthetic>') return null;
  const written = objectOf(usage.cache_creation);
  const allWritten = count(usage.cache_creation_input_tokens);
  const cacheWrite1h = Math.min(count(written?.ephemeral_1h_input_tokens), allWritten);
  const input = count(usage.input_tokens);
  const cacheRead = count(usage.cache_read_input_tokens);
  return {
    message: {
      id,
      at: stamp,
      sessionId,
      dir: name(line.cwd),
      model: modelName(model),
      tier: tierOf(model, usage.speed === 'fast', input + allWritten + cacheRead),
      input,
      output: count(usage.output_tokens),
      cacheWrite5m: allWritten - cacheWrite1h,
      cacheWrite1h,
      cacheRead,
      webSearches: count(objectOf(usage.server_tool_use)?.web_search_requests),
      isCopy: objectOf(line.forkedFrom) !== null,
      created: file.created,
    },
  };
};

/** Claude Code 2.1.325 writes what the session was billed when it exits, without the time. */
const billsOf = (line: Fields, sessionId: string, at: number): UsageBill[] => {
  const bills = new Map<string, UsageBill>();
  for (const [model, value] of Object.entries(objectOf(line.modelUsage) ?? {})) {
    const used = objectOf(value);
    if (!used || model.length > 200) continue;
    const name = modelName(model);
    const before = bills.get(name);
    bills.set(name, {
      sessionId,
      at,
      model: name,
      input: (before?.input ?? 0) + count(used.inputTokens),
      output: (before?.output ?? 0) + count(used.outputTokens),
      cacheWrite: (before?.cacheWrite ?? 0) + count(used.cacheCreationInputTokens),
      cacheRead: (before?.cacheRead ?? 0) + count(used.cacheReadInputTokens),
      cost: (before?.cost ?? 0) + (typeof used.costUSD === 'number' && used.costUSD > 0 ? used.costUSD : 0),
    });
  }
  return [...bills.values()];
};

type Fields = Record<string, unknown>;

const parse = (text: string): Fields | null => {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return null;
  }
};

const objectOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;

/** Ids, models and paths have a bounded length. */
const name = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value.length <= 4_096 ? value : null;

/** A transcript is untrusted: anything but a count becomes zero. */
const count = (value: unknown): number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value < 1e12 ? value : 0;
