/** Deletes old events, as the limits of the config demand. */
import { type Bounds, Retention } from '../../live/retention.ts';
import { budgetsOf, type Core } from '../core.ts';

export const openRetention = ({ config, store, loop, clock, log }: Core) => {
  const bounds: Bounds = {
    get age() {
      return config.retention.days * 86_400_000;
    },
    get events() {
      return config.retention.events;
    },
    get bytes() {
      return config.retention.bytes;
    },
    get sessionEvents() {
      return config.retention.sessionEvents;
    },
    get sessionBytes() {
      return config.retention.sessionBytes;
    },
  };
  const retention = new Retention(store, loop.sessionIndex, bounds, clock, log.error, budgetsOf(config));
  return { name: 'retention', start: () => retention.start(), close: () => retention.close() };
};
