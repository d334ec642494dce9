/**
 * A connection to a tmux server in control mode. A command takes a millisecond and no process, and pane output is reported
 * at once. It replaces the `tmux` command while text is typed; when it is closed, the command is used again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { limits } from '../../limits.ts';
import { tmuxQuote } from './quote.ts';
import { type TmuxResult, tmuxEnv } from './run.ts';

interface PendingCommand {
  name: string;
  /** Replies that are still to come, and the output so far. */
  left: number;
  text: string;
  resolve: (result: TmuxResult) => void;
}

export class Control {
  private readonly child: ChildProcess;
  private readonly pending: PendingCommand[] = [];
  /** The reply being read: the lines that may end it, and the lines so far. */
  private reply: { end: string; error: string; lines: string[]; ours: boolean } | null = null;
  private partialLine = '';
  private painted = false;
  private onPaint: () => void = () => {};
  private readonly exited: Promise<void>;
  isOpen = true;

  /** Attach to the session of this pane. A control client has no size of its own, so nothing is resized. */
  constructor(socket: string, pane: string) {
    this.child = spawn('tmux', ['-u', '-S', socket, '-C', 'attach-session', '-E', '-t', pane], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: tmuxEnv(),
    });
    this.child.stdin?.on('error', () => {});
    this.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.onData(chunk));
    this.exited = new Promise(done => {
      const onExit = () => {
        this.fail();
        done();
      };
      this.child.on('error', onExit).on('close', onExit);
    });
  }

  /** Run one tmux command. One that runs another (`if-shell`) gets two replies. */
  run(args: string[], replies = 1): Promise<TmuxResult> {
    const [name = ''] = args;
    if (!this.isOpen) return Promise.resolve(failed(name, 'the connection is closed'));
    return new Promise(done => {
      // Give up on a server that does not reply: the next command starts a process instead.
      const timer = setTimeout(() => void this.close(), limits.tmux.timeout);
      const resolve = (result: TmuxResult) => {
        clearTimeout(timer);
        done(result);
      };
      this.pending.push({ name, left: replies, text: '', resolve });
      this.child.stdin?.write(`${args.map(tmuxQuote).join(' ')}\n`);
    });
  }

  /** Resolves when the pane has painted since the last call, or after `ms`. */
  async paint(ms: number): Promise<void> {
    if (!this.painted && this.isOpen)
      await new Promise<void>(done => {
        const timer = setTimeout(done, ms);
        this.onPaint = () => {
          clearTimeout(timer);
          done();
        };
      });
    this.painted = false;
  }

  /** Resolves when the connection is closed. May be called twice. */
  close(): Promise<void> {
    this.fail();
    this.child.stdin?.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), limits.tmux.timeout);
    return this.exited.finally(() => clearTimeout(timer));
  }

  private fail(): void {
    this.isOpen = false;
    this.onPaint();
    for (const { name, resolve } of this.pending.splice(0))
      resolve(failed(name, 'the connection has closed'));
  }

  private onData(chunk: string): void {
    const lines = (this.partialLine + chunk).split('\n');
    this.partialLine = lines.pop() ?? '';
    for (const line of lines) this.onLine(line);
  }

  private onLine(line: string): void {
    const { reply } = this;
    if (reply) {
      if (line === reply.end || line === reply.error) this.finishReply(reply, line === reply.end);
      else reply.lines.push(line);
      return;
    }
    // `%begin <time> <number> <flags>`: flag 1 marks a reply to our command, others belong to the attach itself.
    const [keyword, ...fields] = line.split(' ');
    if (keyword === '%begin') {
      const [end, error] = ['%end', '%error'].map(last => [last, ...fields].join(' '));
      this.reply = { end: end ?? '', error: error ?? '', lines: [], ours: fields[2] === '1' };
    }
    // Output before the attach is not reported, so the attach itself counts as a paint.
    if (keyword !== '%output' && keyword !== '%session-changed') return;
    this.painted = true;
    this.onPaint();
  }

  private finishReply({ lines, ours }: { lines: string[]; ours: boolean }, ok: boolean): void {
    this.reply = null;
    const [command] = ours ? this.pending : [];
    if (!command) return;
    command.text += lines.join('\n');
    command.left--;
    if (ok && command.left > 0) return;
    this.pending.shift();
    command.resolve(ok ? { ok, stdout: command.text, error: null } : failed(command.name, command.text));
  }
}

const failed = (name: string, why: string): TmuxResult => ({
  ok: false,
  stdout: '',
  error: `tmux ${name}: ${why}`,
});
