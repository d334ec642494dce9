/** Reads a conversation as text, a page at a time. */
import { readSync } from 'node:fs';
import type { TranscriptPage } from '../contract/hub.ts';
import { readFrom } from './read-file.ts';
import { withoutPasteMarks } from './paste-marks.ts';
import { textBlocks, type TranscriptLine } from './transcript.ts';

const pieceBytes = 256 * 1024;
/** A page ends after this, even with few messages. */
const pageBytes = 8 * 1024 * 1024;

/** The messages after a byte offset; null when the file cannot be read. */
export const transcriptPage = (path: string, after: number, limit: number): TranscriptPage | null =>
  readFrom(path, fd => {
    const messages: TranscriptPage['messages'] = [];
    let read = after;
    for (const { line, end } of linesFrom(fd, after)) {
      const message = messageOf(line);
      if (message) messages.push(message);
      read = end;
      if (messages.length >= limit || end - after > pageBytes)
        return { messages: inOrder(messages), next: end, end };
    }
    return { messages: inOrder(messages), next: null, end: read };
  });

/** On a busy machine 2.1.197 may write an answer before its prompt. A line without a time stays after the line before it. */
const inOrder = (messages: TranscriptPage['messages']): TranscriptPage['messages'] => {
  let last = 0;
  return messages
    .map(message => {
      last = message.at ?? last;
      return { message, at: last };
    })
    .sort((a, b) => a.at - b.at)
    .map(({ message }) => message);
};

/** The complete lines from an offset on, each with the offset after it. */
function* linesFrom(fd: number, from: number): Generator<{ line: Buffer; end: number }> {
  let rest = Buffer.alloc(0);
  let at = from;
  const piece = Buffer.alloc(pieceBytes);
  for (;;) {
    const length = readSync(fd, piece, 0, pieceBytes, at + rest.length);
    if (length === 0) return;
    rest = Buffer.concat([rest, piece.subarray(0, length)]);
    // An endless line is skipped in pieces: none of them is JSON.
    if (rest.length > pageBytes && !rest.includes(10)) {
      at += rest.length;
      yield { line: Buffer.alloc(0), end: at };
      rest = Buffer.alloc(0);
    }
    for (let cut = rest.indexOf(10); cut >= 0; cut = rest.indexOf(10)) {
      at += cut + 1;
      yield { line: rest.subarray(0, cut), end: at };
      rest = rest.subarray(cut + 1);
    }
  }
}

const messageOf = (bytes: Buffer): TranscriptPage['messages'][number] | null => {
  const line = parse(bytes);
  if (!line || (line.type !== 'user' && line.type !== 'assistant')) return null;
  if (line.isSidechain || line.isMeta) return null;
  const content = line.message?.content;
  const blocks = Array.isArray(content) ? (content as Block[]) : [];
  const text = typeof content === 'string' ? content : textBlocks(content).filter(Boolean).join('\n');
  const tools = blocks.flatMap(block => (block.type === 'tool_use' && block.name ? [block.name] : []));
  if (text === '' && tools.length === 0) return null;
  const at = Date.parse(line.timestamp ?? '');
  return {
    role: line.type,
    text: line.type === 'user' ? withoutPasteMarks(text) : text,
    tools,
    at: Number.isNaN(at) ? null : at,
  };
};

interface Block {
  type?: string;
  name?: string;
}

const parse = (bytes: Buffer): TranscriptLine | null => {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
};
