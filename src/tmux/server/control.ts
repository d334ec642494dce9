/**
 * One open connection to a tmux server, in its control mode: a command takes a millisecond and no process, and a pane
 * that paints is heard of at once. It stands in for `tmux` while somebody types; when it has gone, that is used again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { limits } from '../../limits.ts';
import { quoted } from './quote.ts';
import { type Ran, tmuxEnv } from './run.ts';

interface Asked {
  name: string;
  /** Answers that are still to come, and what the earlier ones said. */
  left: number;
  text: string;
  answer: (ran: Ran) => void;
}

export class Control {
  private readonly child: ChildProcess;
  private readonly asked: Asked[] = [];
  /** The answer that is being told: what its last line will be, and the lines so far. */
  private telling: { end: string; error: string; lines: string[]; ours: boolean } | null = null;
  private rest = '';
  private painted = false;
  private wake: () => void = () => {};
  private readonly gone: Promise<void>;
  isOpen = true;

  /** Attaches to the session of this pane. A client in control mode has no size of its own: nothing is resized. */
  constructor(socket: string, pane: string) {
    this.child = spawn('tmux', ['-u', '-S', socket, '-C', 'attach-session', '-E', '-t', pane], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: tmuxEnv(),
    });
    this.child.stdin?.on('error', () => {});
    this.child.stdout?.setEncoding('utf8').on('data', (chunk: string) => this.hear(chunk));
    this.gone = new Promise(done => {
      const ended = () => {
        this.shut();
        done();
      };
      this.child.on('error', ended).on('close', ended);
    });
  }

  /** Runs one tmux command. One that runs another (`if-shell`) is answered twice. */
  run(args: string[], answers = 1): Promise<Ran> {
    const [name = ''] = args;
    if (!this.isOpen) return Promise.resolve(failed(name, 'the connection is closed'));
    return new Promise(done => {
      // A server that does not answer is left: whoever asks again starts a process.
      const timer = setTimeout(() => void this.close(), limits.tmux.timeout);
      const answer = (ran: Ran) => {
        clearTimeout(timer);
        done(ran);
      };
      this.asked.push({ name, left: answers, text: '', answer });
      this.child.stdin?.write(`${args.map(quoted).join(' ')}\n`);
    });
  }

  /** Resolves when the pane has painted since the last time, or after so long. */
  async paint(ms: number): Promise<void> {
    if (!this.painted && this.isOpen)
      await new Promise<void>(done => {
        const timer = setTimeout(done, ms);
        this.wake = () => {
          clearTimeout(timer);
          done();
        };
      });
    this.painted = false;
  }

  /** Resolves when it has gone. May be called twice. */
  close(): Promise<void> {
    this.shut();
    this.child.stdin?.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), limits.tmux.timeout);
    return this.gone.finally(() => clearTimeout(timer));
  }

  private shut(): void {
    this.isOpen = false;
    this.wake();
    for (const { name, answer } of this.asked.splice(0)) answer(failed(name, 'the connection has closed'));
  }

  private hear(chunk: string): void {
    const lines = (this.rest + chunk).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.hearLine(line);
  }

  private hearLine(line: string): void {
    const { telling } = this;
    if (telling) {
      if (line === telling.end || line === telling.error) this.tell(telling, line === telling.end);
      else telling.lines.push(line);
      return;
    }
    // `%begin <time> <number> <flags>`: 1 is an answer to us, all else is about the attaching itself.
    const [word, ...about] = line.split(' ');
    if (word === '%begin') {
      const [end, error] = ['%end', '%error'].map(last => [last, ...about].join(' '));
      this.telling = { end: end ?? '', error: error ?? '', lines: [], ours: about[2] === '1' };
    }
    // Commands are answered before it is attached; what was painted until then is not told.
    if (word !== '%output' && word !== '%session-changed') return;
    this.painted = true;
    this.wake();
  }

  private tell({ lines, ours }: { lines: string[]; ours: boolean }, ok: boolean): void {
    this.telling = null;
    const [asked] = ours ? this.asked : [];
    if (!asked) return;
    asked.text += lines.join('\n');
    asked.left--;
    if (ok && asked.left > 0) return;
    this.asked.shift();
    asked.answer(ok ? { ok, stdout: asked.text, error: null } : failed(asked.name, asked.text));
  }
}

const failed = (name: string, why: string): Ran => ({ ok: false, stdout: '', error: `tmux ${name}: ${why}` });
