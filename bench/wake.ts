/** Waking agents: what it costs a hook, how soon an agent's process is started, and that nothing is lost or doubled. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventView } from '../src/contract/event.ts';
import type { WakeList, WakeBundle } from '../src/contract/wake.ts';
import { fakeAgent } from '../test/rig/agent.ts';
import { newest, type Version } from '../test/rig/cli.ts';
import type { Daemon } from '../test/rig/drover.ts';
import { type Hooks, hooksOf } from '../test/rig/hook.ts';
import { until } from '../test/rig/within.ts';
import { openWorld, type World } from '../test/rig/world.ts';
import { fire } from './emitter.ts';
import { median, ms, percentile, type Row } from './figures.ts';

const pairs = 200;
const turns = 60;
const sessions = 1_000;
const restarts = 20;

export const wakeRows = async (): Promise<Row[]> => [
  ...(await wakeHookRows()),
  ...(await wakeStartRows()),
  await wakeLossRow(),
];

const configure = ({ droverHome }: World, config: object): void =>
  writeFileSync(join(droverHome, 'config.json'), JSON.stringify(config));

/** The same hook in a home without agents, and in one where nobody watches the session, or somebody does. */
const wakeHookRows = async (): Promise<Row[]> => {
  const [plain, agents] = await Promise.all([openWorld({ version: newest }), openWorld({ version: newest })]);
  // Every session has its own agent: many wakes to one agent would be gathered.
  const ids = Array.from({ length: pairs }, () => randomUUID());
  const processes = ids.map(() => spawn('sleep', ['600'], { stdio: 'ignore' }));
  try {
    configure(agents, {
      agents: ids.map(id => ({ agent_id: id, sessions: [id], deliver: { command: ['true'] } })),
    });
    const places = await Promise.all([plain, agents].map(placeOf));
    const measured = async (watched: boolean, what: string): Promise<Row> => {
      const seen: [number[], number[]] = [[], []];
      for (const [n, known] of ids.entries()) {
        const id = watched ? known : randomUUID();
        // The order alternates, so that effects of one do not always affect the other.
        for (const side of n % 2 ? ([1, 0] as const) : ([0, 1] as const))
          seen[side].push(await stopped(places[side] as Place, id, processes[n]));
        if (watched) await awaitDelivered((places[1] as Place).daemon, id);
      }
      const [bare, ours] = [median(seen[0]), median(seen[1])];
      const extra = (ours / bare - 1) * 100;
      return {
        what: `extra hook time of a session ${what}, over the plain emitter, median of ${pairs} interleaved pairs`,
        target: '<= 5 %',
        seen: `${extra.toFixed(1)} % (${ms(ours)} / ${ms(bare)})`,
        met: extra <= 5,
      };
    };
    return [await measured(false, 'without an agent'), await measured(true, 'with an async one')];
  } finally {
    for (const child of processes) child.kill('SIGKILL');
    await Promise.all([plain.close(), agents.close()]);
  }
};

interface Place {
  hooks: Hooks;
  daemon: Daemon;
  env: Record<string, string>;
}

/** A tmux pane to fire hooks in, as TMUX and TMUX_PANE name it. */
const paneOf = async (world: World): Promise<{ where: string; pane: string }> => {
  const tmux = await world.tmux([
    'new-session',
    '-d',
    '-P',
    '-F',
    '#{socket_path},#{pid},0 #{pane_id}',
    'sleep 600',
  ]);
  const [where = '', pane = ''] = tmux.trim().split(' ');
  return { where, pane };
};

/** A daemon and a tmux pane to fire hooks in. */
const placeOf = async (world: World): Promise<Place> => {
  const hooks = await hooksOf(world);
  const daemon = await world.daemon();
  const { where, pane } = await paneOf(world);
  return { hooks, daemon, env: world.env({ TMUX: where, TMUX_PANE: pane }) };
};

const stopped = async (
  { hooks, env }: Place,
  id: string,
  child: ChildProcess | undefined,
): Promise<number> => {
  const own = {
    ...env,
    CLAUDE_CODE_SESSION_ID: id,
    CLAUDE_PID: String(child?.pid),
    CLAUDE_PROJECT_DIR: env.HOME ?? '',
  };
  const payload = (name: string) =>
    `${JSON.stringify({ session_id: id, hook_event_name: name, cwd: env.HOME, last_assistant_message: 'done' })}\n`;
  await fire(hooks.commands.UserPromptSubmit ?? '', payload('UserPromptSubmit'), own);
  return fire(hooks.commands.Stop ?? '', payload('Stop'), own);
};

/** Waits until an agent has got every wake. */
const awaitDelivered = ({ url, token }: Daemon, agent: string): Promise<unknown> =>
  until(
    20_000,
    () => 'not delivered',
    async () => {
      const headers = { Authorization: `Bearer ${token}` };
      const answer = await fetch(`${url}/wakes?last=5&agent=${agent}`, { headers });
      const { wakes } = (await answer.json()) as WakeList;
      return (wakes.length > 0 && wakes.every(({ status }) => status === 'delivered')) || undefined;
    },
  );

/** The real CLI: from the time of the Stop to the first thing that the agent's program does. */
const wakeStartRows = async (version: Version = newest): Promise<Row[]> => {
  const world = await openWorld({ version });
  try {
    const agent = await fakeAgent(world);
    configure(world, { agents: [{ agent_id: 'a', project: world.dir(), openclaw_session_id: 'oc' }] });
    await world.drover('setup');
    await world.daemon();
    const seat = await world.claude({ prompt: 'SAY turn-0' });
    for (let n = 0; ; n++) {
      await agent.woken(message => message.includes(`\nturn-${n}\n`));
      if (n === turns) break;
      await seat.ready();
      // Pause between turns: three wakes within a second would be gathered into one.
      await seat.type(`SLEEP 300 SAY turn-${n + 1}`);
    }
    const log = (await world.drover('events', '--after', '0', '--json')).stdout.trim().split('\n');
    const stops = log.map(line => JSON.parse(line) as EventView).filter(({ name }) => name === 'Stop');
    const calls = await agent.calls();
    // The first one has a pane whose name is not known yet.
    const seen = stops.slice(1).map(({ at }, n) => (calls[n + 1]?.at ?? Number.NaN) - at);
    const [p50, p95] = [median(seen), percentile(seen, 95)];
    return [
      {
        what: `Stop -> agent process started, Claude Code ${version}, ${seen.length} turns`,
        target: 'p50 <= 50 ms, p95 <= 150 ms',
        seen: `p50 ${ms(p50)}, p95 ${ms(p95)}`,
        met: p50 <= 50 && p95 <= 150,
      },
    ];
  } finally {
    await world.close();
  }
};

/** Turns of many sessions for twenty agents, while the daemon is restarted and killed. */
const wakeLossRow = async (): Promise<Row> => {
  const agents = 20;
  const world = await openWorld({ version: newest });
  try {
    const callsFolder = join(world.root, 'heard');
    mkdirSync(callsFolder);
    const folders = Array.from({ length: agents }, (_, n) => world.dir(`p${n}`));
    for (const folder of folders) mkdirSync(folder);
    configure(world, {
      agents: folders.map((project, n) => ({
        agent_id: `a${n}`,
        project,
        deliver: {
          command: [
            'sh',
            '-c',
            'cat > "$0.$$"; cat "$0.$$" >> "$1"',
            join(callsFolder, `a${n}`),
            join(callsFolder, 'all'),
          ],
          format: 'json',
        },
      })),
    });
    const { commands } = await hooksOf(world);
    const { where, pane } = await paneOf(world);
    const env = world.env({ TMUX: where, TMUX_PANE: pane });
    const ids = Array.from({ length: sessions }, () => randomUUID());
    // A stand-in for Claude Code, so that no session counts as ended.
    const living = ids.map(() => spawn('sleep', ['600'], { stdio: 'ignore' }));
    world.closing(async () => living.forEach(child => child.kill('SIGKILL')));
    let daemon: Daemon = await world.daemon();
    const work = (async () => {
      for (const [n, id] of ids.entries()) {
        const payload = { session_id: id, cwd: folders[n % agents], last_assistant_message: `said ${n}` };
        const own = { ...env, CLAUDE_CODE_SESSION_ID: id, CLAUDE_PID: String(living[n]?.pid) };
        for (const hook_event_name of ['UserPromptSubmit', 'Stop'])
          await fire(
            commands[hook_event_name] ?? '',
            `${JSON.stringify({ ...payload, hook_event_name })}\n`,
            own,
          );
      }
    })();
    for (let n = 0; n < restarts; n++) {
      await new Promise(done => setTimeout(done, 400));
      if (n % 2) await daemon.stop();
      else await daemon.kill9();
      daemon = await world.daemon();
    }
    await work;
    const told = () =>
      (existsSync(join(callsFolder, 'all')) ? readFileSync(join(callsFolder, 'all'), 'utf8') : '')
        .split('\n')
        .filter(Boolean)
        .flatMap(line => (JSON.parse(line) as WakeBundle).wakes);
    await until(
      60_000,
      () => `only ${told().length} were told`,
      () => (told().length >= sessions ? true : undefined),
    );
    const wakes = told();
    const lost = ids.filter(id => !wakes.some(({ identity }) => identity.session === id)).length;
    const doubled = wakes.length - new Set(wakes.map(({ wake }) => wake)).size;
    const empty = wakes.filter(({ content }) => !content?.text).length;
    return {
      what: `wakes lost, doubled, empty of ${sessions}, with ${restarts} restarts, half of them by kill -9`,
      target: '0',
      seen: `${lost}, ${doubled}, ${empty}`,
      met: lost + doubled + empty === 0 && wakes.length === sessions,
    };
  } finally {
    await world.close();
  }
};
