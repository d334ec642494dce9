/**
 * What tmux shows and how fast its keys work, as a person sees it: a client attached through a pseudo-terminal, whose
 * output is read byte by byte. Sessions are hooks fired for real panes; the emitter and the daemon are the real ones.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shortId } from '../src/contract/short-id.ts';
import { handlerFor } from '../src/hook/install/command.ts';
import { fire } from './emitter.ts';
import { ms, percentile, type Row } from './figures.ts';
import { type Daemon, openWorld, type World } from './world.ts';

export const tmuxRows = async (): Promise<Row[]> => [await inTmux(1, iconRow), await inTmux(5, keyRow)];

export const tmuxCrowdRows = async (): Promise<Row[]> => [await inTmux(60, manyRow)];

interface Stage {
  world: World;
  daemon: Daemon;
  tmux: (...args: string[]) => string;
  /** How often tmux was started so far. */
  started: () => number;
  panes: { id: string; pid: number; session: string }[];
  /** Fires a hook of the n-th pane's session. */
  hook: (n: number, name: string, fields?: object) => Promise<number>;
  /** The same for a session that is in no pane. */
  bare: (n: number, name: string, fields?: object) => Promise<number>;
  client: (rows: number, columns: number, target: string) => Client;
}

/** A tmux server with this many panes and our tmux.conf, and a daemon. */
const inTmux = async (count: number, measure: (stage: Stage) => Promise<Row>): Promise<Row> => {
  const world = openWorld();
  const started = counted(world);
  const daemon = await world.start();
  const socket = join(world.dir, 't', `tmux-${process.getuid?.()}`, 'default');
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-u', '-f', '/dev/null', ...args], { env: world.env, encoding: 'utf8' }).trim();
  const clients: ChildProcess[] = [];
  try {
    tmux('new-session', '-d', '-s', 'desk', '-x', '160', '-y', '40', 'cat');
    const panes = Array.from({ length: count }, (_, n) => {
      const text = `printf 'this is pane ${n} of many'; exec sleep 9999`;
      // Four to a window where there are many.
      const at =
        count < 10 || n % 4 === 0 ? ['new-window', '-d'] : ['split-window', '-d', '-t', 'desk:{end}'];
      const [id = '', pid] = tmux(...at, '-P', '-F', '#{pane_id} #{pane_pid}', 'sh', '-c', text).split(' ');
      if (count >= 10) tmux('select-layout', '-t', 'desk:{end}', 'tiled');
      return {
        id,
        pid: Number(pid),
        session: `5eed${String(n).padStart(4, '0')}-0000-4000-8000-000000000000`,
      };
    });
    execFileSync(process.execPath, ['dist/main.js', 'setup', '--tmux'], { env: world.env });
    const serverPid = tmux('display-message', '-p', '#{pid}');
    return await measure({
      world,
      daemon,
      tmux,
      started,
      panes,
      hook: (n, name, fields = {}) => {
        const { id, pid, session } = panes[n] as Stage['panes'][number];
        const place = { TMUX: `${socket},${serverPid},0`, TMUX_PANE: id, CLAUDE_PID: String(pid) };
        return fireFor(world, session, name, fields, place);
      },
      bare: (n, name, fields = {}) =>
        fireFor(world, `ba5e${String(n).padStart(4, '0')}-0000-4000-8000-000000000000`, name, fields, {}),
      client: (rows, columns, target) => {
        const client = attach(world, rows, columns, target);
        clients.push(client.child);
        return client;
      },
    });
  } finally {
    for (const child of clients) child.kill();
    try {
      tmux('kill-server');
    } catch {
      /* it has gone with its last pane */
    }
    await daemon.stop();
    world.close();
  }
};

const fireFor = (
  world: World,
  session: string,
  name: string,
  fields: object,
  place: Record<string, string>,
): Promise<number> => {
  const payload = { session_id: session, hook_event_name: name, cwd: '/srv/app', ...fields };
  const env = { ...world.env, CLAUDE_CODE_ENTRYPOINT: 'cli', ...place };
  return fire(handlerFor(name, world.env).command, `${JSON.stringify(payload)}\n`, env);
};

interface Client {
  child: ChildProcess;
  press: (keys: string) => void;
  /** Resolves with the time at which the terminal was sent this text. */
  shows: (text: string | RegExp) => Promise<number>;
  /** Calls back with everything the terminal is sent. */
  listen: (listener: (text: string) => void) => void;
}

const attach = (world: World, rows: number, columns: number, target: string): Client => {
  const line = `stty rows ${rows} cols ${columns}; exec tmux -u attach-session -t ${target}`;
  const child = spawn('script', ['-qfc', line, '/dev/null'], {
    env: { ...world.env, TERM: 'xterm-256color' },
  });
  const listeners = new Set<(text: string) => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const listener of listeners) listener(text);
  });
  return {
    child,
    press: keys => void child.stdin.write(keys),
    listen: listener => void listeners.add(listener),
    shows: text =>
      new Promise((resolve, reject) => {
        let seen = '';
        const done = (end: () => void) => {
          listeners.delete(look);
          clearTimeout(late);
          end();
        };
        const late = setTimeout(() => done(() => reject(new Error(`${text} was not shown`))), 10_000);
        const look = (more: string) => {
          seen = plain(seen + more);
          if (typeof text === 'string' ? seen.includes(text) : text.test(seen))
            done(() => resolve(performance.now()));
        };
        listeners.add(look);
      }),
  };
};

const plain = (text: string): string => text.replaceAll(/\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]/g, '');

const pause = (time: number) => new Promise(done => setTimeout(done, time));

/** One change a second, as one session makes them. */
const iconRow = async ({ hook, client, panes }: Stage): Promise<Row> => {
  const terminal = client(30, 120, 'desk:1');
  await terminal.shows('drover down');
  await terminal.shows('✓');
  const seen: number[] = [];
  const steps = [
    ['SessionStart', '⏸', { source: 'startup' }],
    ['UserPromptSubmit', '▶', {}],
    ['SessionEnd', '■', { reason: 'other' }],
  ] as const;
  for (let n = 0; n < 45; n++) {
    const [name, icon, fields] = steps[n % steps.length] as (typeof steps)[number];
    const shown = terminal.shows(`${shortId(panes[0]?.session ?? '')} [${icon}]`);
    const began = performance.now();
    const ran = hook(0, name, fields);
    seen.push((await shown) - began);
    await ran;
    await pause(900 + Math.random() * 200);
  }
  const [p50, p95] = [percentile(seen, 50), percentile(seen, 95)];
  return {
    what: `hook fired -> icon on the terminal, one change a second (${seen.length} changes)`,
    target: 'p50 <= 40 ms, p95 <= 150 ms',
    seen: `p50 ${ms(p50)}, p95 ${ms(p95)}`,
    met: p50 <= 40 && p95 <= 150,
  };
};

const keyRow = async ({ hook, client, panes, tmux, daemon }: Stage): Promise<Row> => {
  const terminal = client(30, 120, 'desk:0');
  await terminal.shows('drover down');
  for (const n of panes.keys()) {
    await hook(n, 'SessionStart', { source: 'startup' });
    await hook(n, 'UserPromptSubmit');
    await hook(n, 'StopFailure', { error: 'x' });
  }
  while (tmux('show-options', '-sqv', `@drover_${panes.length}`) === '') await pause(50);
  const seen: number[] = [];
  let busy = 0;
  for (let n = 0; n < 40; n++) {
    const shown = terminal.shows(`this is pane ${n % panes.length} of many`);
    const before = new Set(children(daemon.pid));
    const began = performance.now();
    terminal.press('\x02\t');
    const there = await shown;
    busy += children(daemon.pid).filter(pid => !before.has(pid)).length;
    seen.push(there - began);
    await pause(400);
  }
  const [p50, most] = [percentile(seen, 50), Math.max(...seen)];
  return {
    what: `\`prefix Tab\` -> the pane is on the client's terminal (${seen.length} presses, 5 waiting)`,
    target: '<= 30 ms, 0 processes of ours started',
    seen: `p50 ${ms(p50)}, longest ${ms(most)}; ${busy} processes of the daemon's by then`,
    met: p50 <= 30 && busy === 0,
  };
};

/** The children of a process, except for the poll of all panes every two seconds. */
const children = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter(child => !commandOf(child).includes('list-panes'));

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

/** 60 sessions, each with a change every second. */
const manyRow = async ({ hook, bare, client, panes, tmux, started, daemon }: Stage): Promise<Row> => {
  const seconds = 15;
  const terminal = client(40, 160, 'desk:1');
  await terminal.shows('drover down');
  for (const n of panes.keys()) await hook(n, 'SessionStart', { source: 'startup' });
  while (!tmux('list-panes', '-s', '-t', 'desk', '-F', '#{@meta.claude.status}').includes('stopped'))
    await pause(50);
  await pause(2_500);

  const fired = new Map<string, { icon: string; at: number }>();
  const seen: number[] = [];
  let tail = '';
  terminal.listen(more => {
    const now = performance.now();
    const text = tail + more;
    tail = text.slice(-400);
    for (const [, id = '', icon = ''] of plain(text).matchAll(/(5eed\d{4}) \[(.)\]/g)) {
      const wanted = fired.get(id);
      if (wanted?.icon !== icon) continue;
      seen.push(now - wanted.at);
      fired.delete(id);
    }
  });
  const load = async (fireOne: Stage['hook'], fired: (n: number, works: boolean) => void): Promise<Load> => {
    const [cpu, born, began] = [spent(daemon.pid), started(), performance.now()];
    const running: Promise<number>[] = [];
    for (let n = 0; n < panes.length * seconds; n++) {
      await pause(Math.max(0, began + (n * 1000) / panes.length - performance.now()));
      const works = Math.floor(n / panes.length) % 2 === 0;
      fired(n % panes.length, works);
      const fields = works ? {} : { source: 'startup' };
      running.push(fireOne(n % panes.length, works ? 'UserPromptSubmit' : 'SessionStart', fields));
    }
    await Promise.all(running);
    const took = (performance.now() - began) / 1000;
    return { cpu: (spent(daemon.pid) - cpu) / took, processes: (started() - born) / took };
  };
  const shown = await load(hook, (n, works) => {
    fired.set(shortId(panes[n]?.session ?? ''), { icon: works ? '▶' : '⏸', at: performance.now() });
  });
  await pause(1_000);
  const without = await load(bare, () => {});
  const added = shown.cpu - without.cpu;
  const p95 = percentile(seen, 95);
  return {
    what: `60 sessions changing state every second, for ${seconds} s, four of them in sight (${seen.length} of ${4 * seconds} changes seen)`,
    target: '<= 10 tmux processes a second, p95 <= 300 ms, <= 5 % of one core',
    seen: `${shown.processes.toFixed(1)} a second, p95 ${ms(p95)}; showing it takes ${percent(added)} on top of the ${percent(without.cpu)} that the same events cost outside tmux`,
    met: shown.processes <= 10 && p95 <= 300 && added <= 0.05 && seen.length === 4 * seconds,
  };
};

interface Load {
  /** Of one core, the daemon and its children. */
  cpu: number;
  /** Starts of tmux a second. */
  processes: number;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** CPU seconds of a process and of the children it has waited for. */
const spent = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return [11, 12, 13, 14].reduce((sum, n) => sum + Number(fields[n]), 0) / 100;
};

/** A tmux that counts how often it is started, for the daemon to find first on its PATH. Its cost counts as the daemon's. */
const counted = (world: World): (() => number) => {
  const real = execFileSync('sh', ['-c', 'command -v tmux'], { encoding: 'utf8' }).trim();
  const [bin, count] = [join(world.dir, 'bin'), join(world.dir, 'count')];
  mkdirSync(bin);
  writeFileSync(count, '');
  writeFileSync(join(bin, 'tmux'), `#!/bin/sh\nprintf . >>'${count}'\nexec '${real}' "$@"\n`, {
    mode: 0o755,
  });
  world.env.PATH = `${bin}:${world.env.PATH}`;
  return () => statSync(count).size;
};
