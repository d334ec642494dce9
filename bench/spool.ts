/** The daemon was down: reading the spool, and the cost of a kill in the middle. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installEmitter } from '../src/hook/emitter.ts';
import { handlerFor, pluginHandlerFor } from '../src/hook/install/command.ts';
import { pathsFrom } from '../src/paths.ts';
import { ms, type Row } from './figures.ts';
import { type Daemon, get, openWorld, type World } from './world.ts';

export const spoolRows = async (): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const [name, command] of Object.entries(registrations))
    rows.push(await drain(name, [command], 10_000));
  const both = Object.values(registrations).slice(0, 2);
  rows.push(await drain('settings and plugin, so each twice', both, 5_000));
  return [...rows, await crash()];
};

const drain = async (name: string, commands: string[], count: number): Promise<Row> => {
  const world = openWorld();
  try {
    const own = handlerFor('PostToolUse', world.env).command;
    await spool(
      world,
      commands.map(command => command || own),
      count,
    );
    const began = performance.now();
    const daemon = await world.start();
    await awaitEvents(daemon, count);
    const took = performance.now() - began;
    const right = isInOrderOnce(await numbers(daemon), count);
    await daemon.stop();
    return {
      what: `${group(count)} events that the emitter spooled while the daemon was down, registered by ${name}: start to all in the log, in order, once`,
      target: '<= 3 s',
      seen: `${ms(took)}, ${right ? 'in order, once' : 'NOT in order or not once'}`,
      met: took <= 3_000 && right,
    };
  } finally {
    world.close();
  }
};

const group = (count: number): string => count.toLocaleString('en');

const crash = async (): Promise<Row> => {
  const world = openWorld();
  try {
    await spool(world, [handlerFor('PostToolUse', world.env).command], 5_000);
    let kills = 0;
    for (const at of [700, 1_900, 3_100]) {
      const daemon = await world.start();
      while ((await statusOf(daemon)).events.kept < at) await new Promise(done => setTimeout(done, 1));
      await daemon.stop('SIGKILL');
      kills++;
    }
    const daemon = await world.start();
    await awaitEvents(daemon, 5_000);
    const right = isInOrderOnce(await numbers(daemon), 5_000);
    await daemon.stop();
    return {
      what: `\`kill -9\` of the daemon in the middle of 5,000 events (${kills} times), restart`,
      target: 'nothing lost, nothing twice',
      seen: right ? '5,000 in order, none lost, none twice' : 'LOST OR TWICE',
      met: right,
    };
  } finally {
    world.close();
  }
};

/** How hooks are registered: each form is a separate command with its own tag. */
const registrations = {
  'the settings': handlerFor('PostToolUse', { HOME: '/nowhere' }).command,
  'the plugin': pluginHandlerFor('PostToolUse').command,
  "a DROVER_HOME of one's own": '',
};

/** Fires this many hooks with each command, as Claude Code does, in four parallel lanes. */
const spool = async ({ env, home }: World, commands: string[], count: number): Promise<void> => {
  installEmitter(pathsFrom(env), process.execPath, '/nowhere/main.js');
  const fire = commands.map((_, n) => `printf %s "$payload" | sh -c "$${n + 3}"`).join('; ');
  const script = `pad=$(printf '%0400d' 0); n=0
    while [ $n -lt $2 ]; do
      payload='{"session_id":"5eed00'$1'","hook_event_name":"PostToolUse","lane":'$1',"n":'$n',"pad":"'$pad'"}'
      ${fire}; n=$((n + 1))
    done`;
  const lane = (number: number) =>
    new Promise<void>((done, failed) => {
      const args = ['-c', script, 'sh', String(number), String(count / lanes), ...commands];
      const shell = spawn('sh', args, { env, stdio: 'ignore' });
      shell.once('error', failed).once('exit', () => done());
    });
  await Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)));
  const files = readdirSync(join(home, 'spool')).length;
  if (files !== count * commands.length) throw new Error(`${files} files are in the spool`);
};

const lanes = 4;

interface Status {
  events: { kept: number };
  spool: { files: number };
}

const statusOf = async ({ url, token }: Daemon): Promise<Status> =>
  JSON.parse(await get(`${url}/status`, token)) as Status;

/** Waits until the spool is empty and the log has this many events. */
const awaitEvents = async (daemon: Daemon, count: number): Promise<void> => {
  const isDone = ({ events, spool: { files } }: Status) => events.kept >= count && files === 0;
  while (!isDone(await statusOf(daemon))) await new Promise(done => setTimeout(done, 50));
};

interface Numbered {
  lane: number;
  n: number;
}

const numbers = async (daemon: Daemon): Promise<Numbered[]> => {
  const found: Numbered[] = [];
  for (let after = 0; ; ) {
    const page = JSON.parse(await get(`${daemon.url}/log?after=${after}`, daemon.token)) as {
      events: { source: string; payload: Numbered }[];
      next: number | null;
    };
    if (page.next === null) return found;
    // The sweep adds that the processes of these hooks are gone.
    found.push(...page.events.filter(({ source }) => source === 'hook').map(({ payload }) => payload));
    after = page.next;
  }
};

/** Whether the events of each lane are complete and in order. */
const isInOrderOnce = (found: Numbered[], count: number): boolean => {
  const next = Array.from({ length: lanes }, () => 0);
  const isNext = ({ lane, n }: Numbered) => next[lane] === n && (next[lane] = n + 1) > 0;
  return found.length === count && found.every(isNext);
};
