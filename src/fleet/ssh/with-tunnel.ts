/** A tunnel for the duration of one command. */
import { systemClock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { pollUntil } from '../../poll-until.ts';
import type { SshTarget, Tunnel } from './ssh-command.ts';
import { TunnelSupervisor } from './tunnel-supervisor.ts';

/** Keeps a tunnel while `use` runs. It has its own ssh, because ssh does not end while somebody uses a tunnel in it. */
export const withTunnel = async <T>(
  target: SshTarget,
  tunnel: Tunnel | null,
  env: Env,
  use: () => Promise<T>,
): Promise<T> => {
  if (!tunnel) return use();
  const supervisor = new TunnelSupervisor({ target, tunnel, env, clock: systemClock, onChange: () => {} });
  try {
    const { sshProbe, broker } = limits.fleet;
    await pollUntil(() => supervisor.isUp || supervisor.problem !== null, sshProbe, broker.poll);
    if (supervisor.isUp) return await use();
    throw new DroverError(
      'failed',
      `The tunnel to ${target.destination} cannot be opened: ${supervisor.problem ?? 'ssh does not answer'}`,
      'The daemon opens it by itself, so ssh must not ask anything: use a key without a passphrase, or an agent.',
    );
  } finally {
    supervisor.close();
  }
};
