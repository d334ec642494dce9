/** A disk that is full soon: a tmpfs, for which one has to be root. */
import { execFileSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';

export interface SmallDisk {
  /** Leaves no room at all. */
  fill: () => void;
  /** Makes room again. */
  free: () => void;
}

/** Mounts a small disk at `dir`. Where that cannot be done the test is skipped with the reason; under CI it fails. */
export async function smallDisk(dir: string, megabytes: number, context: TestContext): Promise<SmallDisk> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'drover-test', dir], {
      stdio: 'pipe',
    });
  } catch (error) {
    if (process.env.CI) throw error;
    context.skip(`a tmpfs cannot be mounted: ${(error as Error).message.trim()}`);
  }
  onTestFinished(() => void execFileSync('umount', ['-l', dir]));
  const filler = join(dir, 'filler');
  return {
    fill: () => {
      const { bavail, bsize } = statfsSync(dir);
      if (bavail > 0) writeFileSync(filler, Buffer.alloc(bavail * bsize), { flag: 'a' });
    },
    free: () => rmSync(filler),
  };
}
