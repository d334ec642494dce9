/** Finds live sessions that change the same file. */
import type { Collision } from '../contract/changes.ts';
import { limits } from '../limits.ts';

/** A session changed a file, or asks to. */
export interface FileUse {
  path: string;
  sessionId: string;
  /** When it changed it last, or asked, ms. */
  at: number;
  /** It has an open request to change the file. */
  isAsking: boolean;
}

/** Returns the collisions of each session, newest first. Two that only ask do not collide: nothing has changed yet. */
export const collisionsOf = (uses: FileUse[], now: number): Map<string, Collision[]> => {
  const byPath = new Map<string, FileUse[]>();
  for (const use of uses) byPath.set(use.path, [...(byPath.get(use.path) ?? []), use]);
  const found = new Map<string, Collision[]>();
  const add = (sessionId: string, collision: Collision) => {
    const known = found.get(sessionId) ?? [];
    const isKnown = known.some(one => one.path === collision.path && one.sessionId === collision.sessionId);
    if (!isKnown) found.set(sessionId, [...known, collision]);
  };
  for (const [path, users] of byPath) {
    for (const [n, one] of users.entries())
      for (const other of users.slice(n + 1)) {
        if (!isCollision(one, other, now)) continue;
        const at = Math.max(one.at, other.at);
        add(one.sessionId, { path, sessionId: other.sessionId, at });
        add(other.sessionId, { path, sessionId: one.sessionId, at });
      }
  }
  for (const [id, list] of found)
    found.set(id, list.sort((a, b) => b.at - a.at).slice(0, limits.changes.collisions));
  return found;
};

/** An open request lasts: only the change of the other session has to be recent. */
const isCollision = (one: FileUse, other: FileUse, now: number): boolean => {
  if (one.sessionId === other.sessionId || (one.isAsking && other.isAsking)) return false;
  const { collision } = limits.changes;
  if (one.isAsking || other.isAsking) return now - (one.isAsking ? other.at : one.at) <= collision;
  return Math.abs(one.at - other.at) <= collision && now - Math.max(one.at, other.at) <= collision;
};

/** Returns when a collision of these ends by itself, ms; null when there is none. */
export const nextEnd = (uses: FileUse[], now: number): number | null => {
  const ends = uses
    .filter(({ isAsking }) => !isAsking)
    .map(({ at }) => at + limits.changes.collision)
    .filter(at => at >= now);
  return ends.length > 0 ? Math.min(...ends) + 1 : null;
};
