/** Watches files for changes, also before they exist. */
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

export class FileWatchers {
  private readonly watchers = new Map<string, FSWatcher>();

  constructor(private readonly onChange: () => void) {}

  /** Call it repeatedly: it tries again while the file's folder does not exist. */
  add(path: string): void {
    if (this.watchers.has(path)) return;
    try {
      const name = basename(path);
      const watcher = watch(dirname(path), (_, file) => {
        if (file === name) this.onChange();
      });
      watcher.on('error', () => {});
      this.watchers.set(path, watcher);
    } catch {
      // The folder does not exist yet.
    }
  }

  close(): void {
    for (const watcher of this.watchers.values()) watcher.close();
  }
}
