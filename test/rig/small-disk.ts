/** A small disk that fills quickly: a tmpfs, which needs root. */
import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';

export interface SmallDisk {
  /** Fills it completely. */
  fill: () => void;
  /** Makes room again. */
  free: () => void;
}

/** Mounts a disk of this many megabytes at `dir`; returns why it cannot. Under CI it must work. */
export const mountSmall = (dir: string, megabytes: number): string | null => {
  const options = `size=${megabytes}m,mode=700`;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'drover-test', dir], { stdio: 'pipe' });
    return null;
  } catch (error) {
    if (process.env.CI) throw error;
    return `a tmpfs cannot be mounted: ${(error as Error).message.trim()}`;
  }
};

export const unmount = (dir: string): void => void execFileSync('umount', ['-l', dir]);

/** Mounts a small disk at `dir` for one test, which is skipped with the reason where that cannot be done. */
export async function smallDisk(dir: string, megabytes: number, context: TestContext): Promise<SmallDisk> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const problem = mountSmall(dir, megabytes);
  if (problem !== null) context.skip(problem);
  onTestFinished(() => unmount(dir));
  const filler = join(dir, 'filler');
  return {
    fill: () => {
      const { bavail, bsize } = statfsSync(dir);
      try {
        writeFileSync(filler, Buffer.alloc(bavail * bsize), { flag: 'a' });
      } catch (error) {
        // Another process was faster: it is full anyway.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    },
    free: () => rmSync(filler),
  };
}
