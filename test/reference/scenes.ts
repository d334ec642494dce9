/** What the sessions of the corpus do. Some end; the others stay in one of the states that a session can be in. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { elicitationArgs } from '../rig/elicit.ts';
import type { Seat, SeatOptions } from '../rig/tmux.ts';
import type { World } from '../rig/world.ts';
import { choose, shows } from '../truth/hands.ts';
import { gone } from '../truth/must.ts';
import { hookCount } from './spool.ts';

export interface Scene {
  name: string;
  run: (world: World) => Promise<unknown>;
}

const PERMISSION = 'Do you want to proceed?';
const bash = { args: ['--allowedTools', 'Bash'] };

/** Most scenes; they run a few at a time, so that the hooks of several sessions mix. */
export const scenes: Scene[] = [
  {
    name: 'plain turns',
    run: async world => {
      const { seat } = await open(world);
      await turn(seat, 'SAY one');
      await turn(seat, 'SAY two\nlines');
      await turn(seat, 'NOTE first this THEN RUN echo then that');
    },
  },
  {
    name: 'a prompt on the command line, many tools',
    run: async world => {
      await writeFile(join(world.dir(), 'story.txt'), 'once upon a time\n');
      const { seat } = await open(world, { prompt: 'TIMES 12 echo step' });
      await idle(seat);
      await turn(seat, `READ ${join(world.dir(), 'story.txt')}`);
      await turn(seat, 'TOGETHER RUN echo a ;; RUN echo b ;; RUN echo c');
    },
  },
  {
    name: 'permission allowed, then asked again',
    run: async world => {
      const { seat } = await open(world);
      for (const name of ['a', 'b']) {
        await seat.type(`RUN touch made-${name}`);
        await shows(seat, PERMISSION);
        await seat.press('Enter');
        await idle(seat);
      }
      await seat.type('RUN touch made-c');
      await seat.asks(PERMISSION);
    },
  },
  {
    name: 'permission denied',
    run: async world => {
      const { seat } = await open(world);
      await seat.type('RUN touch never-a');
      await choose(seat, PERMISSION, /No/);
      await idle(seat);
      await turn(seat, 'SAY on we go');
      await seat.type('RUN touch never-b');
      await shows(seat, PERMISSION);
      await seat.press('Escape');
      await idle(seat);
    },
  },
  {
    name: 'questions',
    run: async world => {
      const { seat } = await open(world);
      await seat.type('ASK');
      await choose(seat, 'Which size?', /Large/);
      await idle(seat);
      await seat.type('ASK2');
      await choose(seat, 'Which size?', /Small/);
      await choose(seat, 'Which extras?', /Nuts/);
      await choose(seat, 'Which extras?', /Submit|Next/);
      await choose(seat, 'Ready to submit', /Submit/);
      await idle(seat);
      await seat.type('ASK');
      await seat.asks('Which size?');
    },
  },
  {
    name: 'plan approved',
    run: async world => {
      const { seat } = await open(world, { permissionMode: 'plan' });
      await seat.type('PLAN');
      await choose(seat, 'Would you like to proceed?', /Yes, and/);
      await idle(seat);
      await turn(seat, 'SAY the plan is done');
    },
  },
  {
    name: 'plan open',
    run: async world => {
      const { seat } = await open(world, { permissionMode: 'plan' });
      await seat.type('PLAN # Two steps\n\n1. Think\n2. Act');
      await seat.asks('Would you like to proceed?');
    },
  },
  {
    name: 'subagent',
    run: async world => {
      const { seat, id } = await open(world);
      await seat.type('AGENT RUN echo from the agent');
      await hookCount(world, id, 'SubagentStop', 1);
      await idle(seat);
      await turn(seat, 'SAY after the agent');
      await seat.type('TOGETHER AGENT RUN echo x ;; AGENT RUN echo y');
      await hookCount(world, id, 'SubagentStop', 3);
      await idle(seat);
    },
  },
  {
    name: 'subagent asks',
    run: async world => {
      const { seat } = await open(world);
      await seat.type('AGENT RUN touch by-agent');
      await seat.asks(PERMISSION);
    },
  },
  {
    name: 'parallel requests',
    run: async world => {
      const { seat, id } = await open(world);
      await seat.type('TOGETHER 4 x FETCH https://127.0.0.1:9/# read');
      await hookCount(world, id, 'PermissionRequest', 4);
      for (let left = 4; left > 0; left--) {
        await shows(seat, 'Do you want to allow');
        await seat.press('Enter');
      }
      await idle(seat);
      await seat.type('TOGETHER 3 x FETCH https://127.0.0.2:9/# read');
      await hookCount(world, id, 'PermissionRequest', 7);
    },
  },
  {
    name: '/clear twice',
    run: async world => {
      const { seat, id } = await open(world);
      await turn(seat, 'SAY before');
      await seat.type('/clear');
      const { sessionId: second } = await seat.file(file => file.sessionId !== id);
      await seat.ready();
      await turn(seat, 'RUN echo between');
      await seat.type('/clear');
      await seat.file(file => file.sessionId !== second);
    },
  },
  {
    name: '/compact',
    run: async world => {
      const { seat } = await open(world);
      await turn(seat, 'SAY one');
      await turn(seat, 'SAY two');
      await seat.type('/compact');
      await seat.sees(/Compacted|compacted/);
      await seat.ready();
      await turn(seat, 'SAY after');
    },
  },
  {
    name: 'interrupts',
    run: async world => {
      const { seat, id } = await open(world, bash);
      await seat.type('STREAM 200');
      await seat.sees('line 5 of');
      await seat.press('Escape');
      await idle(seat);
      await turn(seat, 'SAY back');
      await seat.type('RUN tail -f /dev/null');
      await hookCount(world, id, 'PreToolUse', 1);
      await seat.sees(/Running|esc to interrupt/);
      await seat.press('Escape');
      await idle(seat);
    },
  },
  {
    name: 'failures',
    run: async world => {
      const { seat } = await open(world, bash);
      await turn(seat, 'FAIL 400');
      await turn(seat, 'RUN false');
      await turn(seat, `READ ${join(world.dir(), 'missing.txt')}`);
      await turn(seat, 'FAIL 400');
    },
  },
  {
    name: 'background',
    run: async world => {
      const { seat, id } = await open(world, bash);
      await seat.type('BG sleep 2');
      await hookCount(world, id, 'Stop', 2);
      await idle(seat);
      await seat.type('BG sleep 900');
      await hookCount(world, id, 'Stop', 3);
    },
  },
  {
    name: '/exit and --resume',
    run: async world => {
      const { seat, id } = await open(world);
      await turn(seat, 'SAY one');
      await leave(seat);
      const back = await world.claude({ args: ['--resume', id] });
      await back.ready();
      await turn(back, 'SAY two');
    },
  },
  {
    name: '/exit and --fork-session',
    run: async world => {
      const { seat, id } = await open(world);
      await turn(seat, 'SAY one');
      await leave(seat);
      const fork = await world.claude({ args: ['--resume', id, '--fork-session'] });
      await fork.ready();
      await turn(fork, 'SAY two');
    },
  },
  {
    name: 'killed while it works',
    run: async world => {
      const { seat } = await open(world);
      await seat.type('SLEEP 60000 SAY killed before');
      await world.model.asked(({ prompt }) => prompt?.includes('killed before') === true);
      process.kill(await seat.pid(), 'SIGKILL');
    },
  },
  {
    name: 'killed while it asks',
    run: async world => {
      const { seat } = await open(world);
      await seat.type('RUN touch never-c');
      await seat.asks(PERMISSION);
      process.kill(await seat.pid(), 'SIGKILL');
    },
  },
  {
    name: 'ended by a signal',
    run: async world => {
      const { seat } = await open(world);
      await turn(seat, 'SAY one');
      const pid = await seat.pid();
      process.kill(pid, 'SIGTERM');
      await gone(pid);
    },
  },
  {
    name: 'ended with its pane',
    run: async world => {
      const { seat } = await open(world);
      await turn(seat, 'RUN echo one');
      const pid = await seat.pid();
      await world.tmux(['kill-pane', '-t', seat.pane]);
      await gone(pid);
    },
  },
  {
    name: 'ended by Ctrl-C twice',
    run: async world => {
      const { seat } = await open(world);
      await turn(seat, 'SAY one');
      const pid = await seat.pid();
      await seat.press('C-c', 'C-c');
      await gone(pid);
    },
  },
  {
    name: 'another folder',
    run: async world => {
      const { seat } = await open(world, { ...bash, dir: world.dir('other') });
      await turn(seat, 'RUN mkdir -p sub && cd sub');
      await turn(seat, 'RUN pwd');
    },
  },
  {
    name: 'edits',
    run: async world => {
      const { seat } = await open(world, { permissionMode: 'acceptEdits', dir: world.dir('other') });
      await turn(seat, `WRITE ${join(world.dir('other'), 'made.txt')} some text`);
      await turn(seat, `READ ${join(world.dir('other'), 'made.txt')}`);
    },
  },
  {
    name: 'headless',
    run: async world => {
      await world.headless({ prompt: 'SAY hello' });
      await world.headless({ prompt: 'TIMES 2 echo step', cwd: world.dir('other') });
    },
  },
  {
    name: 'elicitation',
    run: async world => {
      const { seat } = await open(world, { args: elicitationArgs('rig', true) });
      await seat.type('MCP rig ask');
      await shows(seat, 'Which colour?');
      await seat.press('b', 'l', 'u', 'e', 'Down');
      await shows(seat, 'Which colour?');
      await seat.press('Enter');
      await idle(seat);
      await seat.type('MCP rig ask');
      await seat.asks('Which colour?');
    },
  },
  { name: 'ready', run: world => open(world) },
];

/** Those whose state does not last: they run last. */
export const lastScenes: Scene[] = [
  {
    name: 'working',
    run: async world => {
      const { seat } = await open(world);
      await turn(seat, 'SAY one');
      await seat.type('SLEEP 60000 SAY still working');
      await world.model.asked(({ prompt }) => prompt?.includes('still working') === true);
      await seat.file(file => file.status === 'busy');
    },
  },
  {
    name: 'inside a tool',
    run: async world => {
      const { seat, id } = await open(world, bash);
      await seat.type('RUN tail -f /dev/null');
      await hookCount(world, id, 'PreToolUse', 1);
      await seat.file(file => file.status === 'busy');
    },
  },
];

/** A session of a known id, at its prompt. */
async function open(world: World, options: SeatOptions = {}): Promise<{ seat: Seat; id: string }> {
  const id = randomUUID();
  const seat = await world.claude({ ...options, args: ['--session-id', id, ...(options.args ?? [])] });
  if (options.prompt === undefined) await seat.ready(30_000);
  return { seat, id };
}

async function turn(seat: Seat, prompt: string): Promise<void> {
  await seat.type(prompt);
  await idle(seat);
}

async function idle(seat: Seat): Promise<void> {
  await seat.file(file => file.status === 'idle', 30_000);
  await seat.ready();
}

async function leave(seat: Seat): Promise<void> {
  const pid = await seat.pid();
  await seat.type('/exit');
  await gone(pid);
}
