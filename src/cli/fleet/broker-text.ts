/** A broker in words. */
import type { BrokerStatus } from '../../fleet/broker/remote-broker.ts';

export const brokerText = ({ pid, stopped, listen, port, version }: BrokerStatus): string => {
  if (pid !== null) return `Running: nats-server ${version} at ${listen}:${port} (pid ${pid})`;
  return stopped
    ? 'Stopped. `drover fleet broker start` starts it; until then the hosts work on their own.'
    : 'Not running. The daemon starts it; `drover fleet broker start` does so now.';
};
