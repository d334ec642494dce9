/**
 * CLIs that wait for one prompt each, so that of a warm run only the model's own time remains. The pool learns what to
 * keep from what is asked for: same folder, flags, settings and environment, or it does not fit. It is bounded by its
 * size, what nobody has asked for in a while goes, and each CLI has a cleanup that ends it if the daemon dies.
 */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Warm, WarmWish } from '../../contract/warm.ts';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { isRunning, type PrivateCli, startPrivateCli } from '../../driver/launch/private-cli.ts';
import { awaitPromptLine } from '../../driver/startup/await-prompt-line.ts';
import { closeWorkspace, openWorkspace, type Workspace } from '../cli/workspace.ts';

export interface PoolOptions {
  size: number;
  /** How long a CLI may wait, ms. */
  age: number;
  now: () => number;
  /** The CLI that this environment leads to. */
  claude: (env: Env) => string | null;
  onError: (message: string, error: unknown) => void;
}

interface Slot {
  key: string;
  workspace: Workspace;
  child: PrivateCli | null;
  state: 'starting' | 'ready' | 'lent';
  since: number;
}

interface Wanted {
  key: string;
  wish: WarmWish;
  /** When it was last asked for. */
  at: number;
  /** Why it could not be started; it is tried again when it is asked for again. */
  failed: string | null;
}

export class Pool {
  private readonly slots = new Set<Slot>();
  /** The newest first, never more than the pool holds. */
  private wanted: Wanted[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private starting: Promise<void> | null = null;
  private looking: NodeJS.Timeout | null = null;
  private closed = false;

  constructor(private readonly options: PoolOptions) {}

  /** Hands a CLI out that fits, if there is one. From then on there will be. */
  claim(wish: WarmWish): Warm {
    const { size, claude } = this.options;
    if (size === 0 || this.closed) return none('there is no pool: `warm.size` in config.json is 0');
    if (claude(wish.env) !== wish.claude) return none('the daemon finds another claude');
    const { key, failed } = this.want(wish);
    const slot = [...this.slots].find(one => one.key === key && isReady(one));
    // Not at once: the run that begins now needs the processor more.
    this.later(limits.warm.refill, () => this.fill());
    if (!slot?.child)
      return none(failed ?? 'none is ready for this folder, these flags and this environment');
    slot.state = 'lent';
    this.later(limits.warm.reserved, () => this.slots.has(slot) && void this.end(slot));
    const { socket: _, ...child } = slot.child;
    return { run: { name: nameOf(slot), folders: slot.workspace.dir.folders, ...child }, why: null };
  }

  /** Whoever claimed it guards it by now. False: too late, it is gone. */
  async taken(name: string): Promise<boolean> {
    const slot = [...this.slots].find(one => one.state === 'lent' && nameOf(one) === name);
    if (!slot) return false;
    this.slots.delete(slot);
    await slot.workspace.cleanup.dismiss();
    return true;
  }

  /** How many wait for a prompt now. */
  get ready(): number {
    return [...this.slots].filter(isReady).length;
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
    // It ends what it has begun.
    await this.starting;
    await Promise.all([...this.slots].map(slot => this.end(slot)));
  }

  private want(wish: WarmWish): { key: string; failed: string | null } {
    const key = keyOf(wish);
    const failed = this.wanted.find(one => one.key === key)?.failed ?? null;
    const others = this.wanted.filter(one => one.key !== key);
    this.wanted = [{ key, wish, at: this.options.now(), failed: null }, ...others].slice(
      0,
      this.options.size,
    );
    return { key, failed };
  }

  /** Makes the pool what it should be, one start at a time. */
  private fill(): void {
    if (this.closed) return;
    const { age, now } = this.options;
    this.wanted = this.wanted.filter(({ at }) => now() - at < age);
    const share = this.shares();
    for (const slot of this.slots) {
      if (slot.state !== 'ready') continue;
      const over = this.of(slot.key).filter(isReady).length > (share.get(slot.key) ?? 0);
      if (over || !isReady(slot) || now() - slot.since > age) void this.end(slot);
    }
    if (this.slots.size > 0 || this.wanted.length > 0)
      this.later(limits.warm.check, () => this.fill(), 'look');
    if (this.starting) return;
    const next = this.wanted.find(
      ({ key, failed }) => !failed && this.of(key).length < (share.get(key) ?? 0),
    );
    if (!next) return;
    this.starting = this.start(next).finally(() => {
      this.starting = null;
      this.fill();
    });
  }

  /** How many of each: the same for all, and what is left over for the newest. */
  private shares(): Map<string, number> {
    const { size } = this.options;
    const many = this.wanted.length;
    return new Map(
      this.wanted.map(({ key }, at) => [key, Math.floor(size / many) + (at < size % many ? 1 : 0)]),
    );
  }

  private of(key: string): Slot[] {
    return [...this.slots].filter(slot => slot.key === key && slot.state !== 'lent');
  }

  private async start(wanted: Wanted): Promise<void> {
    const { key, wish } = wanted;
    let slot: Slot | null = null;
    try {
      const workspace = openWorkspace(wish.env, wish.settings, wish.hold);
      slot = { key, workspace, child: null, state: 'starting', since: this.options.now() };
      this.slots.add(slot);
      await workspace.ready;
      const { claude, flags, inherit_hooks: inheritHooks, env, cwd } = wish;
      slot.child = await startPrivateCli(workspace.dir, {
        claude,
        flags,
        inheritHooks,
        prompt: null,
        env,
        cwd,
      });
      await awaitPromptLine(slot.child, () => this.closed);
      slot.state = 'ready';
    } catch (error) {
      wanted.failed = `the last one could not be started: ${(error as Error).message}`;
      if (!this.closed) this.options.onError('a warm session could not be started', error);
      if (slot) await this.end(slot);
    }
  }

  private async end(slot: Slot): Promise<void> {
    this.slots.delete(slot);
    try {
      await closeWorkspace(slot.workspace, slot.child);
    } catch (error) {
      this.options.onError('a warm session could not be ended', error);
    }
  }

  private later(ms: number, task: () => void, kind?: 'look'): void {
    if (kind === 'look' && this.looking) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      if (timer === this.looking) this.looking = null;
      task();
    }, ms);
    timer.unref();
    if (kind === 'look') this.looking = timer;
    this.timers.add(timer);
  }
}

const none = (why: string): Warm => ({ run: null, why });

const nameOf = ({ workspace }: Slot): string => basename(workspace.dir.path);

const isReady = ({ state, child }: Slot): boolean => state === 'ready' && child !== null && isRunning(child);

const keyOf = (wish: WarmWish): string => {
  const env = Object.entries(wish.env).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify({ ...wish, env }))
    .digest('hex');
};
