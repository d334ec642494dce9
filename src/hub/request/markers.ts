/** Marks sessions whose Stop and PreCompact hooks wait, by an empty file for each: the emitter looks for it. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Commit, Loop, View } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';

/** Creates and removes the files, now and with every change of a session. */
export const keepMarkers = (dir: string, loop: Loop, isMarked: (session: Folded) => boolean): View => {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const waits = (session: Folded) =>
    session.state !== 'ended' && /^[\w-]{1,128}$/.test(session.id) && isMarked(session);
  const marked = new Set(
    loop.sessionIndex
      .live()
      .filter(waits)
      .map(({ id }) => id),
  );
  for (const name of readdirSync(dir)) if (!marked.has(name)) rmSync(join(dir, name), { force: true });
  for (const name of marked) mark(dir, name);
  const onCommit = ({ changed }: Commit): void => {
    for (const { after } of changed) {
      const is = waits(after);
      if (is === marked.has(after.id)) continue;
      if (is) {
        marked.add(after.id);
        mark(dir, after.id);
      } else {
        marked.delete(after.id);
        rmSync(join(dir, after.id), { force: true });
      }
    }
  };
  return { name: `markers in ${basename(dir)}`, onCommit };
};

const mark = (dir: string, name: string): void => writeFileSync(join(dir, name), '', { mode: 0o600 });
