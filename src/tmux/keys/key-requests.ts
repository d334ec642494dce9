/**
 * What people ask for by a tmux key. The key starts no process: it appends to a server option and signals a channel;
 * a tmux of ours that waits on the channel returns, and the option is read and cleared.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { limits } from '../../limits.ts';
import { tmux, tmuxEnv } from '../server/run.ts';

export interface KeyRequest {
  verb: string;
  /** The pane that the key was pressed in, or that it went to. */
  pane: string;
  client: string;
}

export class KeyRequests {
  private child: ChildProcess | null = null;
  private closed = false;

  constructor(
    private readonly socket: string,
    private readonly channel: string,
    /** Called after every signal, also one that brought no wish. */
    private readonly heard: (wishes: KeyRequest[]) => void,
    /** The server has gone. */
    private readonly gone: () => void,
  ) {
    this.listen();
  }

  close(): void {
    this.closed = true;
    this.child?.kill();
  }

  private listen(): void {
    this.child = spawn('tmux', ['-u', '-S', this.socket, 'wait-for', this.channel], {
      stdio: 'ignore',
      env: tmuxEnv(),
    });
    this.child.on('error', () => {});
    this.child.on('close', code => {
      this.wake(code).catch(() => this.leave());
    });
  }

  /** Whoever made this makes another when the server is there. */
  private leave(): void {
    this.closed = true;
    this.child?.kill();
    this.gone();
  }

  private async wake(code: number | null): Promise<void> {
    if (this.closed) return;
    if (code !== 0) return this.leave();
    // A person who walks the queue presses the key again and again: one answer for all of it, after the jump is done.
    await new Promise(done => setTimeout(done, limits.tmux.keyRequestPause));
    if (this.closed) return;
    // Waiting again before reading: a key that is pressed meanwhile is not missed. tmux keeps a signal that nobody awaits.
    this.listen();
    const take = ['show-options', '-sqv', '@drover_wish', ';', 'set-option', '-squ', '@drover_wish'];
    this.heard(keyRequestsIn((await tmux(this.socket, take)).stdout));
  }
}

/** The wishes in the option: `verb pane client;` each. */
export const keyRequestsIn = (text: string): KeyRequest[] =>
  text.split(/[;\n]/).flatMap(entry => {
    const [verb = '', pane = '', client = ''] = entry.trim().split(' ');
    return /^[a-z]+$/.test(verb) && /^%\d+$/.test(pane) ? [{ verb, pane, client }] : [];
  });
