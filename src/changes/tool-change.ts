/** Reads from a tool's result which file it changed, and how. */
import { normalize } from 'node:path';
import type { Hook } from '../contract/hook.ts';
import { limits } from '../limits.ts';
import type { ChangeRow } from '../store/change-table.ts';
import { notebookChange } from './notebook-change.ts';
import { cutPatch } from './cut-patch.ts';
import { comparedPatch } from './compared-patch.ts';

/** What a tool changed: a row of the table without its event. */
export type ToolChange = Omit<ChangeRow, 'seq' | 'sessionId' | 'at' | 'turn'>;

/** Tools that change a file and say how. */
export const editTools: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);

/** Returns the change in the payload of a PostToolUse; null when the tool changed no file. */
export const toolChange = ({ tool_name: tool, tool_input, tool_response, cwd }: Hook): ToolChange | null => {
  if (tool === undefined || !editTools.has(tool)) return null;
  const [input, result] = [objectOf(tool_input), objectOf(tool_response)];
  const path = changedPath(tool, input, cwd) ?? absolute(result.filePath, cwd);
  if (path === null || isPlan(path)) return null;
  const change = tool === 'NotebookEdit' ? notebookChange(input, result) : fileChange(input, result);
  return change && { path, tool, ...change };
};

/** Returns the file that a tool is to change; null when its input names none. */
export const changedPath = (
  tool: string | null | undefined,
  input: unknown,
  cwd: string | undefined | null,
): string | null => {
  if (!tool || !editTools.has(tool)) return null;
  const { file_path, notebook_path } = objectOf(input);
  return absolute(tool === 'NotebookEdit' ? notebook_path : file_path, cwd);
};

type Fields = Record<string, unknown>;

const objectOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

const absolute = (path: unknown, cwd: string | undefined | null): string | null => {
  if (typeof path !== 'string' || path === '' || path.length > limits.changes.pathLength) return null;
  // Normalized, so that two spellings of one path still collide.
  if (path.startsWith('/')) return normalize(path);
  return cwd?.startsWith('/') ? normalize(`${cwd}/${path}`) : null;
};

/** In plan mode Claude Code writes the plan into its own folder: that is not work on the project. */
const isPlan = (path: string): boolean => /\/plans\/[^/]+\.md$/.test(path) && path.includes('/.claude');

const fileChange = (input: Fields, result: Fields): Omit<ToolChange, 'path' | 'tool'> | null => {
  const before = textOf(result.originalFile);
  const after = textOf(result.content) ?? textOf(input.content);
  const isNew = result.type === 'create' || (result.originalFile === null && after !== null);
  if (isNew && after !== null) return { isNew, ...wholeFile(after) };
  const hunks = Array.isArray(result.structuredPatch) ? result.structuredPatch.map(objectOf) : [];
  if (hunks.length > 0) return { isNew: false, ...patchOf(hunks) };
  if (before !== null && after !== null && before !== after)
    return { isNew: false, ...compared(before, after) };
  const [old, fresh] = [textOf(input.old_string), textOf(input.new_string)];
  if (old === null || fresh === null) return null;
  return { isNew: false, ...compared(old, fresh) };
};

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Every line of a new file was added. */
const wholeFile = (text: string) => {
  const added = linesIn(text);
  const lines = text.slice(0, limits.changes.patchBytes).split('\n');
  if (lines.at(-1) === '') lines.pop();
  const head = added > 0 ? [`@@ -0,0 +1,${added} @@`] : [];
  const { patch, isCut } = cutPatch([...head, ...lines.map(line => `+${line}`)]);
  return { added, removed: 0, patch, isCut: isCut || text.length > limits.changes.patchBytes };
};

const linesIn = (text: string): number => {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
};

/** Claude Code's own hunks: `oldStart`, `oldLines`, `newStart`, `newLines` and lines with their signs. */
const patchOf = (hunks: Fields[]) => {
  let [added, removed] = [0, 0];
  const all: string[] = [];
  for (const { oldStart, oldLines, newStart, newLines, lines } of hunks) {
    all.push(`@@ -${place(oldStart)},${place(oldLines)} +${place(newStart)},${place(newLines)} @@`);
    for (const line of Array.isArray(lines) ? lines : []) {
      if (typeof line !== 'string') continue;
      if (line.startsWith('+')) added++;
      else if (line.startsWith('-')) removed++;
      all.push(line);
    }
  }
  return { added, removed, ...cutPatch(all) };
};

const place = (value: unknown): number => (Number.isSafeInteger(value) ? (value as number) : 0);

/** Without hunks the texts are compared; where that takes too long, all lines count as replaced. */
const compared = (before: string, after: string) => {
  const isLarge = before.length + after.length > limits.changes.compareBytes;
  if (isLarge) return { added: linesIn(after), removed: linesIn(before), patch: null, isCut: true };
  return comparedPatch(before, after);
};
