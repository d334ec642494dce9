/** Keeps what could not become an event, with the reason: bounded and counted. */
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { limits } from '../limits.ts';

export class Aside {
  count = 0;

  constructor(private readonly dir: string) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    this.count = readdirSync(dir).filter(name => name.endsWith('.reason')).length;
  }

  /** Moves an entry of the spool aside, whatever its type. */
  move(file: string, reason: string): void {
    const target = join(this.dir, basename(file));
    renameSync(file, target);
    this.explain(target, reason);
  }

  /** Keeps bytes that did not come from the spool. */
  keep(name: string, bytes: Uint8Array, reason: string): void {
    const target = join(this.dir, name);
    writeFileSync(target, bytes, { mode: 0o600 });
    this.explain(target, reason);
  }

  /** Removes what was moved aside before a time. */
  clear(before: number): void {
    for (const name of readdirSync(this.dir)) {
      if (facts(join(this.dir, name)).time >= before) continue;
      rmSync(join(this.dir, name), { force: true, recursive: true });
      if (name.endsWith('.reason')) this.count--;
    }
  }

  private explain(target: string, reason: string): void {
    writeFileSync(`${target}.reason`, `${reason}\n`, { mode: 0o600 });
    this.count++;
    this.trim();
  }

  // Oldest first. An entry that is not a file has no size, but counts and is removed like the others.
  private trim(): void {
    const names = readdirSync(this.dir).filter(name => !name.endsWith('.reason'));
    const files = names
      .map(name => ({ name, ...facts(join(this.dir, name)) }))
      .sort((a, b) => a.time - b.time);
    let bytes = files.reduce((sum, file) => sum + file.size, 0);
    let count = files.length;
    for (const file of files) {
      if (count <= limits.spool.asideFiles && bytes <= limits.spool.asideBytes) break;
      rmSync(join(this.dir, file.name), { force: true, recursive: true });
      rmSync(join(this.dir, `${file.name}.reason`), { force: true });
      bytes -= file.size;
      count--;
    }
  }
}

const facts = (file: string): { size: number; time: number } => {
  try {
    const { size, mtimeMs } = lstatSync(file);
    return { size, time: mtimeMs };
  } catch {
    return { size: 0, time: 0 };
  }
};
