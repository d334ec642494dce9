/** The broker that this machine runs for the fleet of another one, if it does. */
import { existsSync } from 'node:fs';
import type { Core } from './core.ts';

export const openHostedBroker = ({ paths, env, log }: Pick<Core, 'paths' | 'env' | 'log'>) => {
  let stop: (() => void) | null = null;
  const close = (): void => {
    stop?.();
    stop = null;
  };
  return {
    /** Starts to supervise the broker, again if it was supervised before: its settings may have changed. */
    start: async (): Promise<void> => {
      close();
      if (!existsSync(paths.hostedBrokerFile)) return;
      const { superviseHostedBroker } = await import('../fleet/broker/supervise-hosted-broker.ts');
      stop = superviseHostedBroker({ paths, env, onError: log.error });
    },
    close,
  };
};
