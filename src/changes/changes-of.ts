/** Builds the answer of `drover changes` from the rows of a session. */
import type { ChangedFile, ChangedTurn, Changes, FileChange } from '../contract/changes.ts';
import type { Session } from '../contract/session.ts';
import { limits } from '../limits.ts';
import { type ChangeRow, inferredTool } from '../store/change-table.ts';

/** `promptAt` reads a prompt; null when the log no longer has it. */
export const changesOf = (
  session: Pick<Session, 'id' | 'dir' | 'cwd' | 'collisions'>,
  rows: ChangeRow[],
  promptAt: (seq: number) => string | null,
): Changes => {
  const changes = bounded(rows.map(changeOf));
  const files = filesOf(changes, session.dir ?? session.cwd);
  return {
    sessionId: session.id,
    dir: session.dir ?? session.cwd,
    total: {
      files: files.length,
      added: files.reduce((sum, { added }) => sum + added, 0),
      removed: files.reduce((sum, { removed }) => sum + removed, 0),
    },
    files,
    turns: turnsOf(rows, changes, promptAt),
    collisions: session.collisions,
    git: null,
  };
};

const changeOf = (row: ChangeRow): FileChange => ({
  seq: row.seq,
  at: row.at,
  path: row.path,
  tool: row.tool,
  isInferred: row.tool === inferredTool,
  isNew: row.isNew,
  added: row.added,
  removed: row.removed,
  patch: row.patch,
  isCut: row.isCut,
});

/** Leaves out the oldest patches beyond what one answer may have. */
const bounded = (changes: FileChange[]): FileChange[] => {
  let room: number = limits.changes.answerBytes;
  return changes
    .toReversed()
    .map(change => {
      room -= change.patch?.length ?? 0;
      return room >= 0 || change.patch === null ? change : { ...change, patch: null, isCut: true };
    })
    .reverse();
};

/** Those that were changed last come first. */
const filesOf = (changes: FileChange[], dir: string | null): ChangedFile[] => {
  const files = new Map<string, ChangedFile>();
  for (const { path, added, removed, isNew, isInferred, at } of changes) {
    const known = files.get(path);
    files.set(path, {
      path,
      name: nameIn(dir, path),
      edits: (known?.edits ?? 0) + 1,
      added: (known?.added ?? 0) + added,
      removed: (known?.removed ?? 0) + removed,
      isNew: known?.isNew ?? isNew,
      isInferred: (known?.isInferred ?? true) && isInferred,
      at: Math.max(known?.at ?? 0, at),
    });
  }
  return [...files.values()].sort((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1));
};

/** The path from the directory of the session, where it is inside. */
export const nameIn = (dir: string | null, path: string): string =>
  dir !== null && path.startsWith(`${dir.replace(/\/$/, '')}/`)
    ? path.slice(dir.replace(/\/$/, '').length + 1)
    : path;

const turnsOf = (
  rows: ChangeRow[],
  changes: FileChange[],
  promptAt: (seq: number) => string | null,
): ChangedTurn[] => {
  const turns = new Map<number | null, ChangedTurn>();
  for (const [n, change] of changes.entries()) {
    const id = rows[n]?.turn ?? null;
    const turn = turns.get(id) ?? { id, at: change.at, prompt: promptOf(id, promptAt), changes: [] };
    turns.set(id, turn);
    turn.changes.push(change);
  }
  return [...turns.values()].sort((a, b) => (a.id ?? 0) - (b.id ?? 0));
};

const promptOf = (id: number | null, promptAt: (seq: number) => string | null): string | null => {
  const prompt = id === null ? null : promptAt(id);
  if (prompt === null) return null;
  const line = prompt.trim().split('\n')[0] ?? '';
  return line.length > limits.changes.promptText ? `${line.slice(0, limits.changes.promptText - 1)}…` : line;
};
