/** Sums up the transcript lines of a turn: the answer, model turns and usage. Each message counts once. Pure. */
import { isInterruption, textBlocks, type TranscriptLine } from '../../claude/transcript.ts';

export interface Usage {
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  input_tokens: number;
  output_tokens: number;
}

/** The cost of the whole session, which 2.1.325 writes when it ends. */
export interface Cost {
  totalCostUSD?: number;
  totalAPIDuration?: number;
  modelUsage?: object;
}

interface Block {
  type?: string;
  id?: string;
  name?: string;
  tool_use_id?: string;
}

type Line = TranscriptLine & Cost & { version?: string };

export class TurnAccount {
  private readonly messages = new Map<string, Partial<Usage>>();
  /** Names of the tools without a result, by call. */
  private readonly openCalls = new Map<string, string>();
  private texts: string[] = [];
  private last: string | null = null;
  failed: string | null = null;
  interrupted = false;
  stopReason: string | null = null;
  version: string | null = null;
  cost: Cost | null = null;

  /** Lines older than `since` belong to another session, which this one was forked from. */
  constructor(private readonly since: number) {}

  add(text: string): void {
    const line = parse(text);
    if (!line || Date.parse(line.timestamp ?? '') < this.since) return;
    this.version = line.version ?? this.version;
    if (line.type === 'cost-state') this.cost = line;
    if (line.isSidechain || line.isMeta) return;
    if (line.type === 'assistant') this.assistant(line);
    if (line.type === 'user') this.user(line);
  }

  get turns(): number {
    return this.messages.size;
  }

  get usage(): Usage {
    const sum = (name: keyof Usage) =>
      [...this.messages.values()].reduce((total, usage) => total + (usage[name] ?? 0), 0);
    return {
      cache_creation_input_tokens: sum('cache_creation_input_tokens'),
      cache_read_input_tokens: sum('cache_read_input_tokens'),
      input_tokens: sum('input_tokens'),
      output_tokens: sum('output_tokens'),
    };
  }

  /** The text of the last message; null when there is none. */
  get answer(): string | null {
    return this.last === null ? null : this.texts.join('');
  }

  /** The last tool that was called and has no result yet. */
  get tool(): string | null {
    return [...this.openCalls.values()].at(-1) ?? null;
  }

  private assistant(line: Line): void {
    const { message } = line;
    const blocks = Array.isArray(message?.content) ? (message.content as Block[]) : [];
    const texts = textBlocks(message?.content);
    if (line.isApiErrorMessage) {
      this.failed = texts.join('') || 'the API answered with an error';
      return;
    }
    if (message?.model === '<synthetic>') return;
    this.failed = null;
    const key = message?.id ?? JSON.stringify(message?.usage ?? {});
    this.messages.set(key, message?.usage ?? {});
    if (key !== this.last) this.texts = [];
    this.last = key;
    this.texts.push(...texts);
    this.stopReason = message?.stop_reason ?? this.stopReason;
    for (const { type, id, name } of blocks)
      if (type === 'tool_use' && id) this.openCalls.set(id, name ?? 'a tool');
  }

  private user(line: Line): void {
    const content = line.message?.content;
    const blocks = Array.isArray(content) ? (content as Block[]) : [];
    for (const { type, tool_use_id } of blocks)
      if (type === 'tool_result' && tool_use_id) this.openCalls.delete(tool_use_id);
    const text = typeof content === 'string' ? content : textBlocks(content)[0];
    this.interrupted = isInterruption(text ?? '');
  }
}

const parse = (text: string): Line | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
};
