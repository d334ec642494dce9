/** Reads the next complete lines of a transcript and picks those about usage. */
import { closeSync, readSync } from 'node:fs';
import { openRegular } from '../claude/read-file.ts';
import { limits } from '../limits.ts';
import type { UsageBill, UsageMessage } from '../store/usage/usage-sums.ts';
import { parseLine, usageMarks } from './parse-line.ts';
import type { TranscriptFile } from './transcript-files.ts';

export interface Chunk {
  messages: UsageMessage[];
  bills: UsageBill[];
  /** Where the next read begins. */
  read: number;
}

/** Reads from `from` on, about `limits.usage.chunkBytes` at once. `read` equals `from` when no line is complete. */
export const readChunk = (file: TranscriptFile, from: number): Chunk => {
  const fd = openRegular(file.path);
  try {
    for (let bytes = limits.usage.chunkBytes; ; bytes *= 4) {
      const buffer = Buffer.allocUnsafe(Math.min(bytes, file.size - from));
      const length = readSync(fd, buffer, 0, buffer.length, from);
      const end = buffer.subarray(0, length).lastIndexOf(10) + 1;
      if (end > 0) return { ...usageIn(buffer.subarray(0, end), file), read: from + end };
      const isWhole = length < buffer.length || from + length >= file.size;
      if (isWhole) return { messages: [], bills: [], read: from };
      // No line about usage is that long.
      if (bytes >= limits.usage.lineBytes) return { messages: [], bills: [], read: from + length };
    }
  } finally {
    closeSync(fd);
  }
};

/** Searches bytes for the marks: decoding and parsing every line would take many times as long. */
const usageIn = (bytes: Buffer, file: TranscriptFile): Omit<Chunk, 'read'> => {
  const messages = new Map<string, UsageMessage>();
  let bills: UsageBill[] = [];
  for (const mark of usageMarks) {
    let from = 0;
    for (;;) {
      const at = bytes.indexOf(mark, from);
      if (at < 0) break;
      const start = bytes.lastIndexOf(10, at) + 1;
      from = bytes.indexOf(10, at) + 1;
      const found = parseLine(bytes.toString('utf8', start, from - 1), file, () =>
        timeBefore(bytes, start, file.changed),
      );
      if (found && 'bills' in found) bills = found.bills;
      else if (found) keepFinal(messages, found.message);
    }
  }
  return { messages: [...messages.values()], bills };
};

/** The last line of a message is final. Most messages have several lines in one chunk. */
const keepFinal = (messages: Map<string, UsageMessage>, message: UsageMessage): void => {
  const known = messages.get(message.id);
  if (!known) messages.set(message.id, message);
  else if (message.output >= known.output) messages.set(message.id, { ...message, at: known.at });
};

/** Returns the time of the last line before this one that has a time; else of the file. */
const timeBefore = (bytes: Buffer, start: number, changed: number): number => {
  const mark = '"timestamp":"';
  const at = start > 0 ? bytes.lastIndexOf(mark, start - 1) : -1;
  const time =
    at < 0 ? Number.NaN : Date.parse(bytes.toString('latin1', at + mark.length, at + mark.length + 24));
  return Number.isNaN(time) ? Math.floor(changed) : time;
};
