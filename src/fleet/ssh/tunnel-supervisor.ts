/** Keeps an SSH tunnel from another machine to the broker here. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type Clock, elapsed } from '../../clock.ts';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { lastLine } from './run-ssh.ts';
import { sshArgs, type SshTarget, type Tunnel } from './ssh-command.ts';

export interface TunnelDeps {
  target: SshTarget;
  tunnel: Tunnel;
  env: Env;
  clock: Clock;
  onChange: () => void;
}

export class TunnelSupervisor {
  isUp = false;
  /** Why it is down; null while it is up or has not failed. */
  problem: string | null = null;
  private child: ChildProcess | null = null;
  private timer: NodeJS.Timeout | null = null;
  private failures = 0;
  private isClosed = false;

  constructor(private readonly deps: TunnelDeps) {
    this.open();
  }

  close(): void {
    this.isClosed = true;
    if (this.timer) clearTimeout(this.timer);
    this.child?.stdin?.end();
  }

  private open(): void {
    const { target, tunnel, env, clock } = this.deps;
    const args = sshArgs(target, `echo ${marker}; exec cat >/dev/null`, { tunnel, isUnattended: true });
    const child = spawn('/bin/sh', ['-c', untilInputEnds, 'drover-tunnel', ...args], { env, stdio: 'pipe' });
    this.child = child;
    let errors = '';
    let upAt = 0;
    child.stdin.on('error', () => {});
    child.stderr.on('data', (bytes: Buffer) => {
      errors = (errors + bytes.toString()).slice(-2_000);
    });
    let output = '';
    child.stdout.on('data', (bytes: Buffer) => {
      if (upAt > 0) return;
      output = (output + bytes.toString()).slice(-1_000);
      if (!output.includes(marker)) return;
      upAt = elapsed(clock);
      this.set(true, null);
    });
    child.on('error', error => {
      errors = error.message;
    });
    child.on('exit', () => child.stdin.end());
    child.on('close', () => {
      if (this.isClosed) return;
      const { tunnelStable, tunnelRetry, maxTunnelRetry, tunnelLost } = limits.fleet;
      this.failures = upAt > 0 && elapsed(clock) - upAt > tunnelStable ? 0 : this.failures + 1;
      const problem = lastLine(errors) || 'ssh ended.';
      this.set(false, problem);
      const longest = isLost.test(problem) ? tunnelLost : maxTunnelRetry;
      const delay = Math.min(longest, tunnelRetry * 2 ** Math.min(this.failures, 10));
      this.timer = setTimeout(() => this.open(), delay / 2 + (Math.random() * delay) / 2).unref();
    });
  }

  private set(isUp: boolean, problem: string | null): void {
    this.isUp = isUp;
    this.problem = problem;
    this.deps.onChange();
  }
}

/**
 * Runs ssh until it ends or the pipe on standard input closes, which it also does when this process is killed. ssh itself would
 * continue as long as somebody uses the tunnel. The command over there ends with the pipe too.
 */
const untilInputEnds = `exec 3<&0
ssh "$@" <&3 3<&- &
ssh=$!
{ cat <&3; kill "$ssh"; } >/dev/null 2>&1 &
exec 3<&-
wait "$ssh"`;

/** Errors that may end at any moment, so that a retry must be quick: no network, no machine, or a port held by a dead connection. */
const isLost =
  /timed out|not responding|unreachable|No route to host|Connection (?:refused|reset|closed)|closed by remote|remote port forwarding failed/i;

const marker = 'drover-tunnel-is-up';
