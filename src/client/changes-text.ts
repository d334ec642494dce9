/** The changes of a session as lines of text, for commands and the board. */
import type { ChangedTurn, Changes, FileChange } from '../contract/changes.ts';
import { shortId } from '../contract/short-id.ts';
import { linesLabel } from './board/labels.ts';
import { ago, clean, line, pad, wide } from './text.ts';

/** The changed files, and what collides. */
export const fileLines = ({ files, total, collisions }: Changes, now: number): string[] => {
  if (files.length === 0) return ['No changed files found.'];
  const cells = files.map(file => [
    line(file.name, 80),
    file.isInferred ? 'inferred' : linesLabel(file),
    `${file.edits} ${file.edits === 1 ? 'edit' : 'edits'}${file.isNew ? ', new' : ''}`,
    `${ago(file.at, now)} ago`,
  ]);
  const widths = [0, 1, 2].map(n => Math.max(...cells.map(row => wide(row[n] ?? ''))));
  return [
    ...cells.map(row =>
      row
        .map((cell, n) => pad(cell, widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
    `${linesLabel(total)} in ${total.files} ${total.files === 1 ? 'file' : 'files'}`,
    ...collisions.map(
      ({ path, sessionId, at }) =>
        `Collision: ${clean(path)} is changed by ${shortId(sessionId)} too, ${ago(at, now)} ago`,
    ),
  ];
};

/** The diffs of each turn, as in a unified diff. */
export const diffTexts = ({ turns }: Changes, clock: (at: number) => string): string[] =>
  turns.flatMap(turn => ['', ...turnTexts(turn, clock)]);

const turnTexts = ({ at, prompt, changes }: ChangedTurn, clock: (at: number) => string): string[] => [
  `Turn ${clock(at)}${prompt === null ? '' : `  ${line(prompt, 100)}`}`,
  ...changes.flatMap(changeTexts),
];

const changeTexts = ({ path, isNew, isInferred, patch, isCut, added, removed }: FileChange): string[] => {
  const name = clean(path);
  if (isInferred) return [`--- ${name}`, 'Changed by a shell command (inferred).'];
  return [
    `--- ${isNew ? '/dev/null' : name}`,
    `+++ ${name}`,
    ...(patch ? clean(patch).split('\n') : []),
    ...(isCut ? [`… part of this diff was not kept (${linesLabel({ added, removed })} in all)`] : []),
  ];
};

/** What a line of a diff is. */
export type DiffTone = 'head' | 'place' | 'added' | 'removed' | 'plain';

export const diffTone = (text: string): DiffTone => {
  if (/^(?:diff |--- |\+\+\+ |Turn )/.test(text)) return 'head';
  if (text.startsWith('@@')) return 'place';
  if (text.startsWith('+')) return 'added';
  return text.startsWith('-') ? 'removed' : 'plain';
};
