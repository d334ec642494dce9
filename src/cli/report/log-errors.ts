/** Outlines the errors in the daemon's log: where and of which kind, without the text of the user in them. */
import { type IsOwnText, shownText } from './own-text.ts';

export interface LogError {
  at: string;
  message: string;
  /** Kind and code, e.g. `Error ENOENT`. */
  error: string;
  /** Functions of the program on the stack, e.g. `readConfig main.js:12`. */
  stack: string[];
}

/** `text`: the log, JSON lines. Returns the newest errors, oldest first. */
export const logErrors = (text: string, isOwn: IsOwnText, limit: number): LogError[] =>
  text
    .split('\n')
    .flatMap(line => errorIn(line, isOwn) ?? [])
    .slice(-limit);

const errorIn = (line: string, isOwn: IsOwnText): LogError | null => {
  const row = parsed(line);
  if (row?.level !== 'error') return null;
  const at = String(row.at);
  const error = typeof row.error === 'string' ? row.error : '';
  const [first = '', ...frames] = error.split('\n');
  return {
    at: /^[\d\-T:.Z]+$/.test(at) ? at : '',
    message: shownText(String(row.message), isOwn),
    error: [kindOf(first), codeOf(first), shownText(first.replace(/^\w+: /, ''), isOwn)]
      .filter(Boolean)
      .join(' '),
    stack: frames.flatMap(frame => ownFrame(frame, isOwn)),
  };
};

const kindOf = (line: string): string => /^(?:[A-Z]\w*)?Error\b/.exec(line)?.[0] ?? '';

const codeOf = (line: string): string =>
  /\b(?:E[A-Z]{3,12}|SQLITE_[A-Z]{3,20}|ERR_[A-Z_]{3,30})\b/.exec(line)?.[0] ?? '';

const ownFrame = (frame: string, isOwn: IsOwnText): string[] => {
  const [, name = '', file = '', line = ''] =
    /^\s+at (?:(?:async |new )?([\w.<>]+) )?\(?.*\/([\w-]+\.m?[jt]s):(\d+):\d+\)?$/.exec(frame) ?? [];
  const last = name.split('.').at(-1) ?? '';
  return file
    ? [`${last === '' || isOwn(last) ? last : '-'} ${isOwn(file) ? file : '-'}:${line}`.trim()]
    : [];
};

const parsed = (line: string): Record<string, unknown> | null => {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
};
