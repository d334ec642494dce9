/** Interprets the lines of a transcript. The format is internal to Claude Code, so unknown lines are skipped. */
import { withoutPasteMarks } from './paste-marks.ts';

export interface TranscriptLine {
  type?: string;
  subtype?: string;
  timestamp?: string;
  isSidechain?: boolean;
  isMeta?: boolean;
  isCompactSummary?: boolean;
  isApiErrorMessage?: boolean;
  /** The name of an API error, as in the StopFailure hook. */
  error?: unknown;
  cwd?: string;
  gitBranch?: string;
  aiTitle?: string;
  customTitle?: string;
  summary?: string;
  /** In a `queue-operation`: what was done with which prompt. */
  operation?: string;
  content?: string;
  level?: string;
  /** In a `stop_hook_summary`: a hook ended the turn, why, and whether any hook said something. */
  preventedContinuation?: boolean;
  stopReason?: string;
  hasOutput?: boolean;
  /** Among others a message that was typed while the session worked (`queued_command`). */
  attachment?: { type?: string; prompt?: unknown };
  message?: {
    id?: string;
    role?: string;
    model?: string;
    content?: unknown;
    stop_reason?: string | null;
    usage?: Usage;
  };
}

interface Usage {
  input_tokens?: number;
  cache_creation_input_tokens?: number;
  cache_read_input_tokens?: number;
}

/** Parses the complete lines of a piece of transcript. Skips the first one unless the piece begins at the file's start. */
export const transcriptLines = (text: string, fromStart: boolean): TranscriptLine[] => {
  const lines = text.split('\n');
  // The rest after the last newline is half a line.
  lines.pop();
  if (!fromStart) lines.shift();
  return lines.flatMap(line => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'object' && value !== null ? [value] : [];
    } catch {
      return [];
    }
  });
};

export interface TurnTail {
  kind: 'Interrupted' | 'Answered' | 'Failed' | 'Unanswered';
  /** Time of the line that shows it, ms. */
  at: number;
  text: string | null;
  /** Why it failed, as Claude Code names it. */
  error?: string;
}

/** The state of the last turn on the main thread; null when there was none. */
export const turnTail = (lines: TranscriptLine[]): TurnTail | null => {
  for (const line of lines.toReversed()) {
    if (line.isSidechain || line.isMeta || line.isCompactSummary) continue;
    const at = Date.parse(line.timestamp ?? '');
    if (Number.isNaN(at)) continue;
    const content = line.message?.content;
    const text = textOf(content);
    if (line.type === 'assistant') {
      if (line.isApiErrorMessage)
        return { kind: 'Failed', at, text, ...(typeof line.error === 'string' && { error: line.error }) };
      // The last tool call has no result yet, so the text before it is not the answer.
      if (hasBlock(content, 'tool_use')) return { kind: 'Unanswered', at, text: null };
      if (text !== null) return { kind: 'Answered', at, text };
      continue;
    }
    if (line.type !== 'user') continue;
    if (text !== null && isInterruption(text)) return { kind: 'Interrupted', at, text: null };
    if (hasBlock(content, 'tool_result')) return { kind: 'Unanswered', at, text: null };
    if (text !== null && !isCommand(text)) return { kind: 'Unanswered', at, text };
  }
  return null;
};

export interface HookStop {
  at: number;
  /** In the words of the hook, or of Claude Code. */
  reason: string | null;
}

/**
 * How a Stop hook ended the last turn; null where none did. Either it said `continue: false`, or it blocked the end so often that
 * Claude Code ended the turn with a warning.
 */
export const hookStopOf = (lines: TranscriptLine[]): HookStop | null => {
  const main = lines.filter(({ isSidechain }) => !isSidechain);
  const from = main.findLastIndex(line => promptOf(line) !== null);
  const last = main.findLastIndex(({ subtype }) => subtype === 'stop_hook_summary');
  const summary = main[last];
  if (!summary || last < from) return null;
  const at = Date.parse(summary.timestamp ?? '');
  if (summary.preventedContinuation === true) return { at, reason: summary.stopReason || null };
  const next = main[last + 1];
  const isForced =
    summary.hasOutput === true && next?.subtype === 'informational' && next.level === 'warning';
  return isForced ? { at, reason: next.content ?? null } : null;
};

/** Slash commands and their output are written like prompts. */
const isCommand = (text: string): boolean => /^\s*<(?:local-command|command-|bash-)/.test(text);

const hasBlock = (content: unknown, type: string): boolean =>
  Array.isArray(content) && content.some(block => (block as { type?: string } | null)?.type === type);

/** The id of the first line that has one. A fork copies that line with its id. */
export const firstLineId = (head: string): string | null => /"uuid":"([^"\\]+)"/.exec(head)?.[1] ?? null;

/** The prompt of a line on the main thread; null for other lines. */
export const promptOf = (line: TranscriptLine): string | null => {
  if (line.type !== 'user' || line.isSidechain || line.isMeta || line.isCompactSummary) return null;
  const text = textOf(line.message?.content);
  return text === null || isCommand(text) || isInterruption(text) ? null : withoutPasteMarks(text);
};

/** The model's text of a line on the main thread; null for other lines. */
export const answerOf = (line: TranscriptLine): string | null =>
  line.type === 'assistant' && !line.isSidechain && !line.isApiErrorMessage
    ? textOf(line.message?.content)
    : null;

/** All text of the model in the turn that began at `from` (0: the last turn); null when there is none. */
export const turnText = (lines: TranscriptLine[], from: number): string | null => {
  const texts: string[] = [];
  for (const line of lines.toReversed()) {
    if (line.isSidechain || line.isMeta) continue;
    if (promptOf(line) !== null || Date.parse(line.timestamp ?? '') < from) break;
    const text = answerOf(line);
    if (text) texts.unshift(text);
  }
  return texts.length ? texts.join('\n\n') : null;
};

/** A session's title: the user's own, else the one Claude Code made; null when these lines have none. */
export const titleOf = (lines: TranscriptLine[]): string | null => {
  const { custom, generated } = titlesOf(lines);
  return custom ?? generated;
};

/** A session's titles: the user's own, and the one Claude Code made; null where these lines have none. */
export const titlesOf = (lines: TranscriptLine[]): { custom: string | null; generated: string | null } => ({
  custom: newest(lines, line => line.customTitle),
  generated:
    newest(lines, line => line.aiTitle) ??
    newest(lines, line => (line.type === 'summary' ? line.summary : undefined)),
});

/** The newest text among the lines; other values are skipped. */
const newest = (lines: TranscriptLine[], read: (line: TranscriptLine) => unknown): string | null => {
  const found = lines.map(read).findLast(value => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : null;
};

const textOf = (content: unknown): string | null => {
  if (typeof content === 'string') return content;
  const texts = textBlocks(content);
  return texts.length ? texts.join('\n') : null;
};

/** The texts of a message's content; none where the content is not a list of blocks. */
export const textBlocks = (content: unknown): string[] =>
  Array.isArray(content)
    ? (content as (Block | null)[]).flatMap(block =>
        block?.type === 'text' && typeof block.text === 'string' ? [block.text] : [],
      )
    : [];

interface Block {
  type?: string;
  text?: string;
}

/** What the CLI writes as the user's prompt when a turn was interrupted. */
export const isInterruption = (text: string): boolean => text.startsWith('[Request interrupted by user');

export interface ContextTail {
  tokens: number;
  model: string | null;
}

/** Time of the answer that `contextTail` counts, ms; 0 when there is none. */
export const countedAt = (lines: TranscriptLine[]): number => {
  const line = lines.findLast(({ type, isSidechain, message }) => {
    return type === 'assistant' && !isSidechain && message?.usage && message.model !== '<synthetic>';
  });
  return Date.parse(line?.timestamp ?? '') || 0;
};

/** Tokens in use after the last answer on the main thread; null before the first answer and after a compaction. */
export const contextTail = (lines: TranscriptLine[]): ContextTail | null => {
  for (const line of lines.toReversed()) {
    if (line.isSidechain) continue;
    if (line.subtype === 'compact_boundary' || line.isCompactSummary) return null;
    const { usage, model } = line.message ?? {};
    if (line.type !== 'assistant' || !usage || model === '<synthetic>') continue;
    const tokens =
      (usage.input_tokens ?? 0) +
      (usage.cache_creation_input_tokens ?? 0) +
      (usage.cache_read_input_tokens ?? 0);
    return { tokens, model: model ?? null };
  }
  return null;
};
