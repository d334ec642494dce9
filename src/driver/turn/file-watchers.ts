/** Files that are watched for any change, also before they are there. A watcher only says "look". */
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

export class Watched {
  private readonly watchers = new Map<string, FSWatcher>();

  constructor(private readonly changed: () => void) {}

  /** May be said again and again: a folder that is not there yet is tried each time. */
  add(path: string): void {
    if (this.watchers.has(path)) return;
    try {
      const name = basename(path);
      const watcher = watch(dirname(path), (_, file) => {
        if (file === name) this.changed();
      });
      watcher.on('error', () => {});
      this.watchers.set(path, watcher);
    } catch {
      // Not there yet.
    }
  }

  close(): void {
    for (const watcher of this.watchers.values()) watcher.close();
  }
}
