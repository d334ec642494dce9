/**
 * Receive requests from tmux keys. A key starts no process: it appends to a server option and signals a channel. A `tmux
 * wait-for` process of ours then returns, and the option is read and cleared.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { limits } from '../../limits.ts';
import { tmux, tmuxEnv } from '../server/run.ts';

export interface KeyRequest {
  verb: string;
  /** The pane that the key was pressed in, or moved to. */
  pane: string;
  client: string;
}

export class KeyRequests {
  private child: ChildProcess | null = null;
  private closed = false;

  constructor(
    private readonly socket: string,
    private readonly channel: string,
    /** Called after every signal, even without a request. */
    private readonly onRequests: (requests: KeyRequest[]) => void,
    private readonly onServerExit: () => void,
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
      this.onSignal(code).catch(() => this.stop());
    });
  }

  private stop(): void {
    this.closed = true;
    this.child?.kill();
    this.onServerExit();
  }

  private async onSignal(code: number | null): Promise<void> {
    if (this.closed) return;
    if (code !== 0) return this.stop();
    // Keys are often pressed several times in a row: collect them, and answer after the client has moved.
    await new Promise(done => setTimeout(done, limits.tmux.keyRequestPause));
    if (this.closed) return;
    // Wait again before reading, so that no key is missed. tmux keeps a signal that nobody waits for.
    this.listen();
    // The option keeps its old name: a tmux.conf from an earlier setup may still be loaded.
    const readAndClear = ['show-options', '-sqv', '@drover_wish', ';', 'set-option', '-squ', '@drover_wish'];
    this.onRequests(keyRequestsIn((await tmux(this.socket, readAndClear)).stdout));
  }
}

/** Parse the requests in the option: `verb pane client;` each. */
export const keyRequestsIn = (text: string): KeyRequest[] =>
  text.split(/[;\n]/).flatMap(entry => {
    const [verb = '', pane = '', client = ''] = entry.trim().split(' ');
    return /^[a-z]+$/.test(verb) && /^%\d+$/.test(pane) ? [{ verb, pane, client }] : [];
  });
