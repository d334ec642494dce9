/**
 * CLIs that already wait for a prompt, so that a warm run takes only the model's own time. The pool learns from requests what
 * to keep; a CLI fits only the same folder, flags, settings and environment. It is bounded by its size. A CLI that was not
 * requested for a while is ended, and a cleanup process ends it if the daemon dies.
 */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { type Clock, schedule } from '../../clock.ts';
import type { Warm, WarmLaunch } from '../../contract/warm.ts';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { isRunning, type PrivateCli, startPrivateCli } from '../../driver/launch/private-cli.ts';
import { awaitPromptLine } from '../../driver/startup/await-prompt-line.ts';
import { closeWorkspace, openWorkspace, type Workspace } from '../cli/workspace.ts';

export interface PoolOptions {
  size: number;
  /** How long a CLI may wait, ms. */
  age: number;
  clock: Clock;
  /** Finds the CLI for this environment. */
  claude: (env: Env) => string | null;
  onError: (message: string, error: unknown) => void;
}

interface Slot {
  key: string;
  workspace: Workspace;
  cli: PrivateCli | null;
  state: 'starting' | 'ready' | 'reserved';
  since: number;
}

interface Wanted {
  key: string;
  launch: WarmLaunch;
  /** When it was last requested. */
  at: number;
  /** Why it could not be started. The next request tries again. */
  failed: string | null;
}

export class Pool {
  private readonly slots = new Set<Slot>();
  /** Newest first, at most as many as the pool's size. */
  private wanted: Wanted[] = [];
  /** Cancel what is scheduled. */
  private readonly timers = new Set<() => void>();
  private starting: Promise<void> | null = null;
  private isCheckScheduled = false;
  private isClosed = false;

  constructor(private readonly options: PoolOptions) {}

  /** Reserves a CLI that fits, if there is one. From then on the pool keeps some. */
  reserve(launch: WarmLaunch): Warm {
    const { size, claude } = this.options;
    if (size === 0 || this.isClosed) return noWarm('there is no pool: `warm.size` in config.json is 0');
    if (claude(launch.env) !== launch.claude) return noWarm('the daemon finds another claude');
    const { key, failed } = this.want(launch);
    const slot = [...this.slots].find(one => one.key === key && isReady(one));
    // Delayed, because the run that starts now needs the processor.
    this.schedule(limits.warm.refill, () => this.fill());
    if (!slot?.cli)
      return noWarm(failed ?? 'none is ready for this folder, these flags and this environment');
    slot.state = 'reserved';
    this.schedule(limits.warm.reserved, () => this.slots.has(slot) && void this.end(slot));
    const { socket: _, ...cli } = slot.cli;
    return { run: { name: nameOf(slot), folders: slot.workspace.dir.folders, ...cli }, why: null };
  }

  /** Confirms that the run that reserved a CLI has taken it over and will clean it up. False when it is too late. */
  async confirmTaken(name: string): Promise<boolean> {
    const slot = [...this.slots].find(one => one.state === 'reserved' && nameOf(one) === name);
    if (!slot) return false;
    this.slots.delete(slot);
    await slot.workspace.cleanup.dismiss();
    return true;
  }

  /** Number of CLIs that wait for a prompt. */
  get ready(): number {
    return [...this.slots].filter(isReady).length;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const cancel of this.timers) cancel();
    // A start in progress ends what it has started.
    await this.starting;
    await Promise.all([...this.slots].map(slot => this.end(slot)));
  }

  private want(launch: WarmLaunch): { key: string; failed: string | null } {
    const key = keyOf(launch);
    const failed = this.wanted.find(one => one.key === key)?.failed ?? null;
    const others = this.wanted.filter(one => one.key !== key);
    this.wanted = [{ key, launch, at: this.options.clock.now(), failed: null }, ...others].slice(
      0,
      this.options.size,
    );
    return { key, failed };
  }

  /** Ends CLIs that are too old or too many, and starts missing ones, one at a time. */
  private fill(): void {
    if (this.isClosed) return;
    const { age, clock } = this.options;
    this.wanted = this.wanted.filter(({ at }) => clock.now() - at < age);
    const share = this.shares();
    for (const slot of this.slots) {
      if (slot.state !== 'ready') continue;
      const over = this.of(slot.key).filter(isReady).length > (share.get(slot.key) ?? 0);
      if (over || !isReady(slot) || clock.now() - slot.since > age) void this.end(slot);
    }
    if (this.slots.size > 0 || this.wanted.length > 0) this.scheduleCheck();
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

  /** How many of each kind: equal shares, the rest for the newest. */
  private shares(): Map<string, number> {
    const { size } = this.options;
    const kinds = this.wanted.length;
    return new Map(
      this.wanted.map(({ key }, at) => [key, Math.floor(size / kinds) + (at < size % kinds ? 1 : 0)]),
    );
  }

  private of(key: string): Slot[] {
    return [...this.slots].filter(slot => slot.key === key && slot.state !== 'reserved');
  }

  private async start(wanted: Wanted): Promise<void> {
    const { key, launch } = wanted;
    let slot: Slot | null = null;
    try {
      const workspace = openWorkspace(launch.env, launch.settings, launch.hold);
      slot = { key, workspace, cli: null, state: 'starting', since: this.options.clock.now() };
      this.slots.add(slot);
      await workspace.ready;
      const { claude, flags, inherit_hooks: inheritHooks, env, cwd } = launch;
      slot.cli = await startPrivateCli(workspace.dir, {
        claude,
        flags,
        inheritHooks,
        env,
        cwd,
      });
      await awaitPromptLine(slot.cli, () => this.isClosed);
      slot.state = 'ready';
    } catch (error) {
      wanted.failed = `the last one could not be started: ${(error as Error).message}`;
      if (!this.isClosed) this.options.onError('could not start a warm session', error);
      if (slot) await this.end(slot);
    }
  }

  private async end(slot: Slot): Promise<void> {
    this.slots.delete(slot);
    try {
      await closeWorkspace(slot.workspace, slot.cli);
    } catch (error) {
      this.options.onError('could not end a warm session', error);
    }
  }

  private schedule(ms: number, task: () => void): void {
    const cancel = schedule(this.options.clock, ms, () => {
      this.timers.delete(cancel);
      task();
    });
    this.timers.add(cancel);
  }

  private scheduleCheck(): void {
    if (this.isCheckScheduled) return;
    this.isCheckScheduled = true;
    this.schedule(limits.warm.check, () => {
      this.isCheckScheduled = false;
      this.fill();
    });
  }
}

const noWarm = (why: string): Warm => ({ run: null, why });

const nameOf = ({ workspace }: Slot): string => basename(workspace.dir.path);

const isReady = ({ state, cli }: Slot): boolean => state === 'ready' && cli !== null && isRunning(cli);

const keyOf = (launch: WarmLaunch): string => {
  const env = Object.entries(launch.env).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify({ ...launch, env }))
    .digest('hex');
};
