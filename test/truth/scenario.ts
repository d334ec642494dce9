/** A truth scenario: something happens to a real session, and Drover must report the right state soon. */
import type { EventView } from '../../src/contract/event.ts';
import type { Session } from '../../src/contract/session.ts';
import type { Version } from '../rig/cli.ts';
import { type Subscription, subscribe } from '../rig/sse.ts';
import type { Daemon } from '../rig/drover.ts';
import { openWorld, type World, type WorldOptions } from '../rig/world.ts';

export interface Scenario {
  name: string;
  /** `none`: nothing is registered. */
  hooks?: 'none';
  world?: Partial<WorldOptions>;
  /** Versions it applies to; default: both. */
  only?: Version;
  run: (stage: Stage) => Promise<void>;
}

/** The permission mode of its sessions. `auto` is the one in which newer versions start by themselves. */
export type Mode = 'default' | 'auto';

export interface Sighting {
  expected: string;
  seen: string;
  /** From the fact to the state being readable, ms. */
  latency: number;
  right: boolean;
}

/** What a scenario can use. */
export interface Stage {
  world: World;
  daemon: () => Daemon;
  /** Stops the daemon, does something, starts it again. */
  whileDown: (work: () => Promise<void>) => Promise<void>;
  /**
   * Awaits that a session is in a state, e.g. `waiting/permission`, `working`, `ended/killed`. `since` is when the fact
   * came about (ms; default: the evidence's own time). Fails when another state but the present one is shown in
   * between, unless it is named in `by`.
   */
  expect: (
    what: string,
    options?: { id?: string; since?: number; within?: number; by?: string[] },
  ) => Promise<Session>;
  /** Awaits that nothing changes for a while. */
  stays: (what: string, ms: number, id?: string) => Promise<void>;
  sessions: () => Promise<Session[]>;
  /** The one session, or the one whose id begins so. */
  session: (id?: string) => Promise<Session>;
  sightings: Sighting[];
}

/** Runs one scenario in its own world and returns what was seen. Throws what went wrong, with the sightings so far. */
export const play = async (scenario: Scenario, version: Version, mode: Mode): Promise<Sighting[]> => {
  const world = await openWorld({ version, ...scenario.world, ownMode: mode === 'auto' });
  const sightings: Sighting[] = [];
  try {
    if (scenario.hooks !== 'none') {
      const { code, stderr } = await world.drover('setup');
      if (code !== 0) throw new Error(`setup: ${stderr}`);
    }
    const watcher = await openWatcher(world);
    await scenario.run({
      world,
      sightings,
      ...watcher,
      expect: (what, options) => watcher.expect(what, options, sightings),
    });
    return sightings;
  } catch (error) {
    const screens = await Promise.all(world.seats.map(seat => seat.screen().catch(() => '(gone)')));
    throw new Error(
      `${(error as Error).message}\n${sightings.map(sighting => JSON.stringify(sighting)).join('\n')}\n${screens.join('\n---\n')}\n${await timeline(world)}`,
      { cause: error },
    );
  } finally {
    await world.close();
  }
};

/** The events that Drover got, one per line: when each happened, how late it arrived, what it contains. */
const timeline = async (world: World): Promise<string> => {
  const { stdout } = await world.drover('events', '--json', '--last', '200');
  const events = stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as EventView);
  const first = events[0]?.at ?? 0;
  return events
    .map(({ seq, at, seen, source, name, sessionId, payload }) => {
      const { status, waitingFor, tool_name, notification_type, prompt, agent_id, background_tasks } =
        (payload ?? {}) as Record<string, unknown>;
      const said = { status, waitingFor, tool_name, notification_type, prompt, agent_id, background_tasks };
      return `${seq} ${at - first} (+${seen - at}) ${sessionId?.slice(0, 4)} ${source} ${name} ${JSON.stringify(said)}`;
    })
    .join('\n');
};

const label = ({ state, reason }: Pick<Session, 'state' | 'reason'>): string =>
  reason ? `${state}/${reason}` : state;

const openWatcher = async (world: World) => {
  let daemon = await world.daemon();
  let stream: Subscription = await subscribe(daemon.url, daemon.token);
  /** Every state that was shown, in order, by session. */
  const shown: { id: string; label: string; at: number; session: Session }[] = [];
  const waiting = new Set<() => void>();
  const follow = (subscription: Subscription) => {
    void (async () => {
      for (;;) {
        const frame = await subscription.next(({ event }) => event === 'state', 600_000).catch(() => null);
        if (!frame) return;
        note((JSON.parse(frame.data) as { sessions: Session[] }).sessions);
      }
    })();
  };
  const note = (sessions: Session[]) => {
    for (const session of sessions) {
      const last = shown.findLast(entry => entry.id === session.id);
      if (last?.label !== label(session))
        shown.push({ id: session.id, label: label(session), at: Date.now(), session });
      else last.session = session;
    }
    for (const look of waiting) look();
  };
  follow(stream);
  /** How far the last expectation of each session has read. */
  const read = new Map<string, number>();

  const expect = async (
    what: string,
    options: Parameters<Stage['expect']>[1] = {},
    sightings: Sighting[] = [],
  ): Promise<Session> => {
    const { id, since, within = 30_000, by = [] } = options;
    const mine = () => shown.filter(entry => (id ? entry.id.startsWith(id) : !entry.session.headless));
    const found = await new Promise<(typeof shown)[number] | null>(resolve => {
      const timer = setTimeout(() => done(null), within);
      const done = (entry: (typeof shown)[number] | null) => {
        clearTimeout(timer);
        waiting.delete(look);
        resolve(entry);
      };
      const look = () => {
        const from = read.get(id ?? '') ?? 0;
        const entry = mine()
          .slice(Math.max(0, from - 1))
          .find(({ label: seen }) => seen === what);
        if (entry) done(entry);
      };
      waiting.add(look);
      look();
    });
    const list = mine();
    const from = read.get(id ?? '') ?? 0;
    const to = found ? list.lastIndexOf(found) + 1 : list.length;
    const strays = list
      .slice(from, found ? to - 1 : to)
      .map(entry => entry.label)
      .filter(seen => seen !== what && !by.includes(seen));
    read.set(id ?? '', to);
    const fact = since ?? found?.session.evidence.at ?? 0;
    sightings.push({
      expected: what,
      seen: found ? [...strays, found.label].join(' > ') : (list.at(-1)?.label ?? 'nothing'),
      latency: found ? Math.max(0, found.at - fact) : -1,
      right: found !== null && strays.length === 0,
    });
    if (!found)
      throw new Error(`expected ${what}, seen ${list.map(entry => entry.label).join(' > ') || 'nothing'}`);
    if (strays.length) throw new Error(`on the way to ${what} it showed ${strays.join(', ')}`);
    return found.session;
  };

  const sessions = async (): Promise<Session[]> => {
    const response = await fetch(`${daemon.url}/sessions`, {
      headers: { Authorization: `Bearer ${daemon.token}` },
    });
    return ((await response.json()) as { sessions: Session[] }).sessions;
  };
  return {
    daemon: () => daemon,
    expect,
    sessions,
    session: async (id?: string) => {
      const found = (await sessions()).filter(session =>
        id ? session.id.startsWith(id) : !session.headless,
      );
      if (found.length !== 1) throw new Error(`${found.length} sessions instead of one`);
      return found[0] as Session;
    },
    stays: async (what: string, ms: number, id?: string) => {
      await new Promise(done => setTimeout(done, ms));
      const list = shown.filter(entry => (id ? entry.id.startsWith(id) : !entry.session.headless));
      if (list.at(-1)?.label !== what)
        throw new Error(`expected to stay ${what}, seen ${list.map(entry => entry.label).join(' > ')}`);
    },
    whileDown: async (work: () => Promise<void>) => {
      stream.close();
      await daemon.stop();
      await work();
      daemon = await world.daemon();
      stream = await subscribe(daemon.url, daemon.token);
      follow(stream);
      // A stream begins with the live ones; what ended before it began is read.
      note((await sessions()).filter(({ state }) => state === 'ended'));
    },
  };
};
