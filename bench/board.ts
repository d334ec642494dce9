/** The board with 200 sessions: how fast it appears, and how fast it reacts to a key. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join, resolve } from 'node:path';
import { median, ms, type Row } from './figures.ts';
import { type Daemon, openWorld, post, type World } from './world.ts';

export const sessions = 200;
const starts = 15;
const presses = 60;

export const boardRows = async (): Promise<Row[]> => {
  const world = openWorld();
  const daemon = await world.start();
  const eye = openControlClient(world);
  try {
    await crowd(daemon);
    const paints: number[] = [];
    for (let n = 0; n < starts; n++) paints.push(await eye.start());
    const keys: number[] = [];
    for (let n = 2; n < presses + 2; n++) keys.push(await eye.press('j', `>${String(n).padStart(2)} `));
    const slow = keys.toSorted((a, b) => a - b)[Math.floor(keys.length * 0.95)] as number;
    return [
      {
        what: `board with ${sessions} sessions, 200x50, from its start to the sessions on screen (${starts} starts)`,
        target: '<= 500 ms',
        seen: `median ${ms(median(paints))}, at most ${ms(Math.max(...paints))}`,
        met: median(paints) <= 500,
      },
      {
        what: `board with ${sessions} sessions, 200x50, from a key to the screen (${presses} keys)`,
        target: '<= 50 ms',
        seen: `median ${ms(median(keys))}, p95 ${ms(slow)}`,
        met: slow <= 50,
      },
    ];
  } finally {
    eye.close();
    await daemon.stop();
    world.close();
  }
};

/** The id of one of them. */
export const crowdId = (n: number): string => `5eed${String(n).padStart(4, '0')}-0000-4000-8000-000000000000`;

/** Sessions in every state, most of them waiting with a message. */
export const crowd = async (daemon: Pick<Daemon, 'url' | 'token'>): Promise<void> => {
  for (let n = 0; n < sessions; n++) {
    const own = {
      session_id: crowdId(n),
      cwd: `/srv/app-${n % 7}`,
    };
    const rest = n % 10 === 9 ? [] : [{ hook_event_name: 'UserPromptSubmit', prompt: 'go' }];
    const last = {
      hook_event_name: 'Stop',
      last_assistant_message: 'All tests pass. Shall I go on? '.repeat(20),
    };
    for (const payload of [{ hook_event_name: 'SessionStart' }, ...rest, ...(n % 5 === 4 ? [] : [last])])
      await post(daemon, { ...own, ...payload });
  }
};

/** A tmux server whose output is read as it arrives, in control mode: nothing is polled. */
const openControlClient = ({ dir, env }: World) => {
  const tmux = ['-u', '-S', join(dir, 's'), '-f', '/dev/null'];
  const size = ['-x', '200', '-y', '50'];
  const child = spawn('tmux', [...tmux, '-C', 'new-session', ...size, 'cat'], {
    env: { ...env, TERM: 'xterm-256color' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let seen = '';
  let wake = (): void => {};
  createInterface({ input: child.stdout }).on('line', line => {
    if (!line.startsWith('%output ')) return;
    seen += line;
    wake();
  });
  const say = (line: string) => void child.stdin.write(`${line}\n`);
  const shows = (text: string) =>
    new Promise<void>((done, fail) => {
      const timer = setTimeout(() => fail(new Error(`the board never showed ${text}`)), 20_000);
      wake = () => {
        if (!seen.includes(text)) return;
        clearTimeout(timer);
        wake = () => {};
        done();
      };
      wake();
    });
  const timed = async (command: string, text: string): Promise<number> => {
    seen = '';
    const began = performance.now();
    say(command);
    await shows(text);
    return performance.now() - began;
  };
  say('set-option -g status off');
  say('resize-window -x 200 -y 50');
  return {
    start: () => timed(`new-window -k -t :1 "exec ${process.execPath} ${resolve('dist/main.js')}"`, '> 1 '),
    press: (key: string, text: string) => timed(`send-keys ${key}`, text),
    close: () => {
      say('kill-server');
      child.kill();
    },
  };
};
