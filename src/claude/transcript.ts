/** What the lines of a transcript say. Its form is internal to Claude Code: unknown lines are passed over. */

export interface TranscriptLine {
  type?: string;
  subtype?: string;
  timestamp?: string;
  isSidechain?: boolean;
  isMeta?: boolean;
  isCompactSummary?: boolean;
  isApiErrorMessage?: boolean;
  cwd?: string;
  gitBranch?: string;
  aiTitle?: string;
  customTitle?: string;
  summary?: string;
  /** Of a `queue-operation`: what was done with which prompt. */
  operation?: string;
  content?: string;
  /** What came between: among others a message that was typed while the session worked (`queued_command`). */
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

/** The whole lines of a piece of transcript; the first one is left out when the piece does not begin at the file's start. */
export const transcriptLines = (text: string, fromStart: boolean): TranscriptLine[] => {
  const lines = text.split('\n');
  // What stands behind the last newline is half a line.
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
  /** Time of the line that says so, ms. */
  at: number;
  text: string | null;
}

/** How the last turn on the main thread stands; null when there has been none. */
export const turnTail = (lines: TranscriptLine[]): TurnTail | null => {
  for (const line of lines.toReversed()) {
    if (line.isSidechain || line.isMeta || line.isCompactSummary) continue;
    const at = Date.parse(line.timestamp ?? '');
    if (Number.isNaN(at)) continue;
    const content = line.message?.content;
    const text = textOf(content);
    if (line.type === 'assistant') {
      if (line.isApiErrorMessage) return { kind: 'Failed', at, text };
      // A call that has no result yet: what was said before it is no answer.
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

/** Slash commands and their output, written as if a person had typed them. */
const isCommand = (text: string): boolean => /^\s*<(?:local-command|command-|bash-)/.test(text);

const hasBlock = (content: unknown, type: string): boolean =>
  Array.isArray(content) && content.some(block => (block as { type?: string } | null)?.type === type);

/** The id of the first line that has one, in the beginning of a transcript; a fork copies the line with its id. */
export const firstLineId = (head: string): string | null => /"uuid":"([^"\\]+)"/.exec(head)?.[1] ?? null;

/** What a person asked on the main thread; null for a line that is something else. */
export const promptOf = (line: TranscriptLine): string | null => {
  if (line.type !== 'user' || line.isSidechain || line.isMeta || line.isCompactSummary) return null;
  const text = textOf(line.message?.content);
  return text === null || isCommand(text) || isInterruption(text) ? null : text;
};

/** What the model answered on the main thread; null for a line that is something else. */
export const answerOf = (line: TranscriptLine): string | null =>
  line.type === 'assistant' && !line.isSidechain && !line.isApiErrorMessage
    ? textOf(line.message?.content)
    : null;

/** All that the model has said on the main thread in the turn that began at `from` (0: the last one); null for nothing. */
export const turnText = (lines: TranscriptLine[], from: number): string | null => {
  const said: string[] = [];
  for (const line of lines.toReversed()) {
    if (line.isSidechain || line.isMeta) continue;
    if (promptOf(line) !== null || Date.parse(line.timestamp ?? '') < from) break;
    const text = answerOf(line);
    if (text) said.unshift(text);
  }
  return said.length ? said.join('\n\n') : null;
};

/** A session's name: the one a person gave, else the one Claude Code made; null where these lines have none. */
export const titleOf = (lines: TranscriptLine[]): string | null =>
  newest(lines, line => line.customTitle) ??
  newest(lines, line => line.aiTitle) ??
  newest(lines, line => (line.type === 'summary' ? line.summary : undefined));

/** The newest text that lines have; what is no text is passed over. */
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

/** When the answer was written that `contextTail` counts, ms; 0 when there is none. */
export const countedAt = (lines: TranscriptLine[]): number => {
  const line = lines.findLast(({ type, isSidechain, message }) => {
    return type === 'assistant' && !isSidechain && message?.usage && message.model !== '<synthetic>';
  });
  return Date.parse(line?.timestamp ?? '') || 0;
};

/** Tokens in use after the last answer on the main thread; null before the first one and after a compaction. */
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
