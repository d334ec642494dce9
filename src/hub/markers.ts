/** Which sessions are held, as the emitter sees it: one empty file each. A view of the fold, like any other. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Loop } from '../live/loop.ts';
import type { Folded } from '../session/memory.ts';

/** Makes the files right, and keeps them so. */
export const keepMarkers = (dir: string, loop: Loop): void => {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const held = new Set(
    loop.roll
      .live()
      .filter(isHeld)
      .map(({ id }) => id),
  );
  for (const name of readdirSync(dir)) if (!held.has(name)) rmSync(join(dir, name), { force: true });
  for (const name of held) mark(dir, name);
  loop.listen(({ changed }) => {
    for (const { before, after } of changed) {
      const is = isHeld(after);
      if (is === (before !== undefined && isHeld(before))) continue;
      if (is) mark(dir, after.id);
      else rmSync(join(dir, after.id), { force: true });
    }
  });
};

const mark = (dir: string, name: string): void => writeFileSync(join(dir, name), '', { mode: 0o600 });

const isHeld = ({ approvals, state, id }: Folded): boolean =>
  approvals === 'held' && state !== 'ended' && /^[\w-]{1,128}$/.test(id);
