/** Hooks fired one after the other by the real emitter, each with its own number; some are killed while they run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Hooks } from '../rig/hook.ts';
import type { World } from '../rig/world.ts';
import type { StandIn } from './stand-ins.ts';

const names = ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'Notification', 'SubagentStop'];

export class Emitters {
  /** Numbers that must be in the log once, and uncertain ones: their hook was killed, or the disk was full. */
  readonly certain = new Set<number>();
  readonly doubtful = new Set<number>();
  isDiskFull = false;
  /** The number of the last one. */
  fired = 0;
  private running: Promise<void> | null = null;
  private isOver = false;

  constructor(
    private readonly world: World,
    private readonly hooks: Hooks,
    private readonly sessions: () => StandIn[],
    private readonly random: () => number,
  ) {}

  start(): void {
    this.isOver = false;
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  /** Fires one hook, and kills it after this many ms if given. */
  async fire(session: StandIn, name: string, killAfter: number | null = null): Promise<void> {
    const number = ++this.fired;
    const doubted = this.isDiskFull;
    const payload = { session_id: session.id, hook_event_name: name, cwd: this.world.dir(), number };
    const words = {
      prompt: 'go',
      tool_name: 'Bash',
      tool_use_id: `t${number}`,
      message: 'x',
      source: 'startup',
    };
    const child = spawn('sh', ['-c', this.hooks.commands[name] ?? 'exit 9'], {
      env: this.world.env({ ...session.env, CLAUDE_CODE_SESSION_ID: session.id }),
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.stdin.on('error', () => {});
    child.stdin.end(`${JSON.stringify({ ...payload, ...words })}\n`);
    const gone = once(child, 'exit') as Promise<[number | null]>;
    if (killAfter !== null) {
      await pause(killAfter);
      child.kill('SIGKILL');
    }
    const [code] = await gone;
    const isCertain = code === 0 && !doubted && !this.isDiskFull;
    (isCertain ? this.certain : this.doubtful).add(number);
  }

  private async run(): Promise<void> {
    while (!this.isOver) {
      const sessions = this.sessions();
      const session = sessions[Math.floor(this.random() * sessions.length)];
      const name = names[Math.floor(this.random() * names.length)] ?? 'Stop';
      if (session) await this.fire(session, name, this.random() < 0.05 ? this.random() * 6 : null);
      await pause(20 + this.random() * 60);
    }
  }
}
