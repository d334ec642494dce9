/** The event that says which files the shell commands of a turn changed, as far as git can tell. */
import type { Draft } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import { limits } from '../limits.ts';
import { ownEvent } from '../session/own-event.ts';

export const inferredName = 'FilesChanged';

export interface InferredFile {
  path: string;
  isNew: boolean;
}

export const inferredDraft = (
  sessionId: string,
  at: number,
  turn: number | null,
  files: InferredFile[],
): Draft => ownEvent(inferredName, sessionId, at, { turn, files });

/** Reads the payload of such an event. */
export const inferredOf = (payload: Hook): { turn: number | null; files: InferredFile[] } => {
  const { turn, files } = payload as { turn?: unknown; files?: unknown };
  return {
    turn: Number.isSafeInteger(turn) ? (turn as number) : null,
    files: (Array.isArray(files) ? (files as Partial<InferredFile>[]) : [])
      .slice(0, limits.changes.inferred)
      .flatMap(file =>
        typeof file?.path === 'string' ? [{ path: file.path, isNew: file.isNew === true }] : [],
      ),
  };
};
