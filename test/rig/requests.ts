/** A held session of the real CLI, and its requests as a program reads and answers them. */
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import type { SessionPage } from '../../src/contract/api.ts';
import type { Version } from './cli.ts';
import type { DaemonOptions } from './drover.ts';
import { type Hub, hubOf } from './hub.ts';
import { waitersOf } from './process.ts';
import { world } from './story.ts';
import type { Seat, SeatOptions } from './tmux.ts';
import { until } from './within.ts';
import type { World } from './world.ts';

export interface HeldSession {
  story: World;
  hub: Hub;
  seat: Seat;
  id: string;
  /** Awaits this number of open requests, each with a hook that waits for an answer. */
  held: (count: number) => Promise<SessionPage['requests']>;
  /** Awaits this number of hooks that wait for an answer. */
  waiters: (count: number) => Promise<void>;
}

export interface HeldOptions {
  config?: object;
  daemon?: DaemonOptions;
  seat?: SeatOptions;
  /** What is done in the world before the daemon starts. */
  prepare?: (story: World) => Promise<void>;
}

/** Sets up hooks and daemon, and starts a session. */
export const heldSession = async (version: Version, options: HeldOptions = {}): Promise<HeldSession> => {
  const story = await world({ version });
  await story.drover('setup');
  await options.prepare?.(story);
  if (options.config) await writeFile(join(story.droverHome, 'config.json'), JSON.stringify(options.config));
  const hub = await hubOf(story, options.daemon);
  const seat = await story.claude(options.seat);
  await seat.ready();
  const { sessionId: id } = await seat.file(file => file.status === 'idle');
  await hub.is(id, ({ state }) => state === 'ready');
  return {
    story,
    hub,
    seat,
    id,
    held: async count => {
      const isThere = ({ requests }: SessionPage) =>
        requests.length === count && requests.every(({ until: to }) => to !== null);
      return (await hub.is(id, isThere, 20_000)).requests;
    },
    waiters: async count => {
      let left = -1;
      await until(
        20_000,
        () => `${left} hooks wait, not ${count}`,
        async () => {
          left = (await waitersOf(story.root)).length;
          return left === count || undefined;
        },
      );
    },
  };
};

/** The results of the tool calls in the newest request to the model, by what the tool was asked to do. */
export const resultsOf = (messages: unknown): { input: Record<string, unknown>; result: string }[] => {
  const blocks = (messages as { content: unknown }[]).flatMap(({ content }) =>
    Array.isArray(content) ? (content as Record<string, unknown>[]) : [],
  );
  const results = new Map(
    blocks
      .filter(({ type }) => type === 'tool_result')
      .map(({ tool_use_id: id, content }) => [id, JSON.stringify(content)]),
  );
  return blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, input }) => ({ input: input as Record<string, unknown>, result: results.get(id) ?? '' }));
};
