/** One connection to the broker for a command. */
import { DroverError } from '../../contract/error.ts';
import type { Bus, BusState } from '../bus.ts';
import { type BusOptions, openBus } from '../nats/nats-bus.ts';

/** Connects, calls back, and disconnects. Throws `fleet_down` when the broker is not reached in time. */
export const withBroker = async <T>(
  options: Pick<BusOptions, 'servers' | 'login' | 'certificate' | 'authorities' | 'inbox' | 'name'>,
  ms: number,
  use: (bus: Bus) => Promise<T>,
): Promise<T> => {
  const bus = openBus({ ...options, now: Date.now, onError: () => {} });
  let timer: NodeJS.Timeout | undefined;
  const unreachable = () =>
    new DroverError(
      'fleet_down',
      `The broker at ${options.servers.join(', ')} cannot be reached: ${bus.state.problem ?? 'it does not answer'}.`.replace(
        /\.\.$/,
        '.',
      ),
      hintFor(options, bus.state),
    );
  try {
    await new Promise<void>((resolve, reject) => {
      const onState = (): void => {
        if (bus.state.connection === 'connected') resolve();
        else if (bus.state.connection === 'refused')
          reject(new DroverError('refused', bus.state.problem ?? undefined));
      };
      bus.onState(onState);
      onState();
      timer = setTimeout(() => reject(unreachable()), ms);
    });
    return await use(bus);
  } finally {
    clearTimeout(timer);
    await bus.close();
  }
};

const hintFor = (
  { servers, certificate }: Pick<BusOptions, 'servers' | 'certificate'>,
  { fault }: BusState,
): string => {
  if (fault === 'certificate')
    return 'Give the certificates of its authority with --ca, and an address that its certificate names.';
  if (fault === 'login') return 'Check the name and the password, or the credentials.';
  return certificate !== null && servers.every(server => /\/\/(127\.|localhost)/.test(server))
    ? 'It listens on its own machine only. `drover fleet add user@host`, run there, keeps a tunnel.'
    : 'Check the address, and that nothing blocks the port.';
};
