/**
 * Faults at random moments while the real emitter fires hooks. Afterwards every event is in the log exactly once, every session
 * has the right state, and the daemon has come back after each fault. The seed repeats a run, as far as timing allows.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import type { LogPage, SessionList } from '../../src/contract/api.ts';
import { type Daemon, MAIN } from '../rig/drover.ts';
import { hooksOf, sessionId } from '../rig/hook.ts';
import { mountSmall, unmount } from '../rig/small-disk.ts';
import type { Seat } from '../rig/tmux.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';
import { Emitters } from './emitters.ts';
import { kinds } from './kinds.ts';
import { type StandIn, standIn } from './stand-ins.ts';

export interface Report {
  seed: number;
  seconds: number;
  faults: Record<string, number>;
  /** Each fault with the numbers of the events between which it was. */
  trail: string[];
  events: number;
  /** Hooks that were killed or met a full disk: in the log once or not at all. */
  doubtful: number;
  lost: number[];
  doubled: number[];
  wrong: string[];
  /** The longest time from the start of the daemon to its first answer, ms. */
  slowestStart: number;
  smallDisk: boolean;
}

const crowd = 4;

export class Faults {
  readonly clock: string;
  daemon!: Daemon;
  seat!: Seat;
  emitters!: Emitters;
  readonly hasSmallDisk: boolean;
  private readonly live: StandIn[] = [];
  private readonly dead: StandIn[] = [];
  private sessions = 0;
  private slowest = 0;
  private starting = 0;

  constructor(
    readonly world: World,
    readonly random: () => number,
  ) {
    this.clock = join(world.root, 'clock');
    writeFileSync(this.clock, '0');
    // A separate disk, small enough to be filled.
    this.hasSmallDisk = mountSmall(world.droverHome, 48) === null;
    if (this.hasSmallDisk) world.closing(async () => unmount(world.droverHome));
  }

  async open(): Promise<void> {
    // A daemon that a hook starts would not have the injected clock.
    writeFileSync(join(this.world.droverHome, 'config.json'), JSON.stringify({ autostart: false }));
    const hooks = await hooksOf(this.world);
    this.emitters = new Emitters(this.world, hooks, () => this.live, this.random);
    await this.up();
    await this.sit();
    await this.refill();
  }

  /** Starts the daemon: it must always come. */
  async up(): Promise<void> {
    const began = performance.now();
    this.daemon = await this.world.daemon({
      // By the working directory: bundled for `npm run faults`, this module is elsewhere.
      main: resolve('test/faults/clock-main.mjs'),
      env: { DROVER_FAULTS_CLOCK: this.clock, DROVER_FAULTS_MAIN: pathToFileURL(MAIN).href },
      started: pid => {
        this.starting = pid;
      },
    });
    this.slowest = Math.max(this.slowest, performance.now() - began);
  }

  /** Kills the daemon that is on its way up. */
  killStarting(): Promise<void> {
    try {
      process.kill(this.starting, 'SIGKILL');
    } catch {
      // It has not been started, or is gone.
    }
    return pause(50);
  }

  /** Whether it still runs; a daemon that exited by itself is a failure. */
  async isUp(): Promise<void> {
    await until(
      10_000,
      () => 'the daemon does not answer',
      async () => ((await this.world.drover('status')).code === 0 ? true : undefined),
    );
  }

  /** A session of the real CLI. */
  async sit(): Promise<void> {
    this.seat = await this.world.claude();
    await this.seat.ready(30_000);
  }

  async refill(): Promise<void> {
    while (this.live.length < crowd) {
      const session = await standIn(this.world, sessionId(++this.sessions));
      this.live.push(session);
      await this.emitters.fire(session, 'UserPromptSubmit');
    }
  }

  async killOne(): Promise<void> {
    const [victim] = this.live.splice(Math.floor(this.random() * this.live.length), 1);
    if (victim) process.kill(victim.pid, 'SIGKILL');
    if (victim) this.dead.push(victim);
    await this.refill();
  }

  /** Their panes took them along. */
  allKilled(): void {
    this.dead.push(...this.live.splice(0));
  }

  /** Does one thing after the other until the time is over and each was done, then checks the result. */
  async run(seconds: number, seed: number): Promise<Report> {
    const began = performance.now();
    const done: Record<string, number> = {};
    const trail: string[] = [];
    const names = Object.keys(kinds);
    this.emitters.start();
    for (let n = 0; n < names.length || performance.now() - began < seconds * 1_000; n++) {
      // Each kind once, then at random.
      const name = names[n] ?? names[Math.floor(this.random() * names.length)] ?? '';
      done[name] = (done[name] ?? 0) + 1;
      await pause(this.random() * 700);
      const first = this.emitters.fired;
      await kinds[name]?.(this).catch((error: unknown) => {
        throw new Error(`while ${name}: ${(error as Error).message}`, { cause: error });
      });
      trail.push(`${first} to ${this.emitters.fired}: ${name}`);
    }
    await this.emitters.stop();
    const wrong = await this.settle();
    const counts = await this.numbers();
    const { certain, doubtful } = this.emitters;
    const missing = [...certain].filter(number => !counts.has(number));
    return {
      seed,
      seconds: Math.round((performance.now() - began) / 1_000),
      faults: done,
      trail,
      events: certain.size,
      doubtful: doubtful.size,
      lost: missing,
      doubled: [...counts].filter(([, times]) => times > 1).map(([number]) => number),
      wrong,
      slowestStart: Math.round(this.slowest),
      smallDisk: this.hasSmallDisk,
    };
  }

  /** Ends a turn in each live session; returns those with a wrong state. */
  private async settle(): Promise<string[]> {
    await this.isUp();
    for (const session of this.live) await this.emitters.fire(session, 'UserPromptSubmit');
    for (const session of this.live) await this.emitters.fire(session, 'Stop');
    const seat = await this.seat.pid();
    const wrongNow = async (): Promise<string[]> => {
      const { sessions } = await this.ask<SessionList>('/sessions');
      const of = (id: string) => sessions.find(one => one.id === id);
      const real = sessions.find(one => one.pid === seat && one.state !== 'ended');
      return [
        ...this.live.flatMap(({ id }) =>
          of(id)?.state === 'waiting' ? [] : [`${id} waits, and is ${of(id)?.state}`],
        ),
        ...this.dead.flatMap(({ id }) =>
          of(id)?.state === 'ended' ? [] : [`${id} is dead, and is ${of(id)?.state}`],
        ),
        ...(real?.state === 'ready' || real?.state === 'waiting'
          ? []
          : [`the CLI is idle, and is ${real?.state}`]),
      ];
    };
    for (const deadline = performance.now() + 10_000; ; await pause(200)) {
      const wrong = await wrongNow();
      if (wrong.length === 0 || performance.now() > deadline) return wrong;
    }
  }

  /** How often each number is in the log. */
  private async numbers(): Promise<Map<number, number>> {
    const counts = new Map<number, number>();
    for (let after: number | null = 0; after !== null; ) {
      const page: LogPage = await this.ask<LogPage>(`/log?after=${after}`);
      for (const { payload, source } of page.events) {
        const { number } = (payload ?? {}) as { number?: unknown };
        if (source === 'hook' && typeof number === 'number')
          counts.set(number, (counts.get(number) ?? 0) + 1);
      }
      after = page.next;
    }
    return counts;
  }

  private async ask<T>(path: string): Promise<T> {
    const { url, token } = this.daemon;
    const response = await fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}

/** Numbers between 0 and 1 that a seed decides. */
export const randomOf = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
