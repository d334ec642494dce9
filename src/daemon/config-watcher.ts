/** Calls back when config.json, or the file that it links to, has changed. Editors replace files, so folders are watched. */
import { type FSWatcher, realpathSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { limits } from '../limits.ts';

export class ConfigWatcher {
  private watchers: FSWatcher[] = [];
  private timer: NodeJS.Timeout | null = null;
  private target: string | null = null;

  constructor(
    private readonly file: string,
    private readonly onChange: () => void,
    private readonly onError: (message: string, error: unknown) => void,
  ) {}

  start(): void {
    this.watchAll();
    // It may have changed since it was read.
    this.schedule();
  }

  close(): void {
    if (this.timer) clearTimeout(this.timer);
    for (const watcher of this.watchers) watcher.close();
    this.watchers = [];
  }

  private watchAll(): void {
    for (const watcher of this.watchers) watcher.close();
    this.target = targetOf(this.file);
    this.watchers = [...new Set([this.file, this.target])].flatMap(file => this.watch(file));
  }

  private watch(file: string): FSWatcher[] {
    try {
      const watcher = watch(dirname(file), (_, name) => {
        if (name === null || name === basename(file)) this.schedule();
      });
      watcher.on('error', error => this.onError('config.json is no longer watched', error));
      return [watcher];
    } catch (error) {
      this.onError('config.json cannot be watched; changes apply after `drover restart`', error);
      return [];
    }
  }

  /** A program that does not replace the file empties it first: wait until it is complete. */
  private schedule(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      if (targetOf(this.file) !== this.target) this.watchAll();
      this.onChange();
    }, limits.daemon.configDebounce).unref();
  }
}

const targetOf = (file: string): string => {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
};
