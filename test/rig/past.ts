/** Sessions according to Claude's own files: past ones and running ones. */
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { MAIN } from './drover.ts';
import type { Run } from './run.ts';
import { until } from './within.ts';
import type { World } from './world.ts';

/** Creates a session that answers once and ends. */
export async function createPastSession(
  world: World,
  dir = world.dir(),
  id: string = randomUUID(),
  prompt = 'SAY one',
): Promise<string> {
  const said = await world.headless({ prompt, args: ['--session-id', id], cwd: dir });
  expect([said.code, said.stderr]).toEqual([0, '']);
  return id;
}

/** The processes that run a session now, each with its directory. */
export function runningProcesses(world: World, id: string): { pid: number; cwd: string }[] {
  const folder = join(world.home, '.claude', 'sessions');
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter(name => name.endsWith('.json'))
    .flatMap(name => {
      try {
        return [JSON.parse(readFileSync(join(folder, name), 'utf8'))];
      } catch {
        // Half written, or just removed.
        return [];
      }
    })
    .filter(file => file.sessionId === id);
}

/** Awaits that a session runs in a directory. */
export const awaitRunning = (world: World, id: string, dir = world.dir(), ms = 15_000) =>
  until(
    ms,
    () => `session ${id} does not run in ${dir}`,
    () => runningProcesses(world, id).find(file => file.cwd === dir),
  );

/** Waits until a session no longer runs. */
export const awaitEnded = (world: World, id: string) =>
  until(
    30_000,
    () => `session ${id} still runs`,
    () => runningProcesses(world, id).length === 0 || undefined,
  );

/** The file of a session that has said something; empty before that. */
export function transcriptOf(world: World, id: string): string {
  const projects = join(world.home, '.claude', 'projects');
  const folders = existsSync(projects) ? readdirSync(projects) : [];
  return folders.map(name => join(projects, name, `${id}.jsonl`)).find(file => existsSync(file)) ?? '';
}

/** Awaits the answer to `SAY one` in a transcript. */
export const awaitAnswer = (world: World, id: string, ms = 15_000) =>
  until(
    ms,
    () => `session ${id} has not answered`,
    () => {
      const file = transcriptOf(world, id);
      return (file && readFileSync(file, 'utf8').includes('"text":"one"')) || undefined;
    },
  );

/** `drover resume` with no terminal. */
export const resume = (world: World, args: string[], cwd = world.dir(), env = {}): Promise<Run> =>
  world.run(process.execPath, [MAIN, 'resume', ...args], { cwd, env });
