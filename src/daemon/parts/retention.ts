/** Keeps the log within its bounds. */
import { Retention } from '../../live/retention.ts';
import { budgetsOf, type Core } from '../core.ts';

export const openRetention = ({ config, store, loop, clock, log }: Core) => {
  const { days, ...shares } = config.retention;
  const bounds = { age: days * 86_400_000, ...shares };
  const retention = new Retention(store, loop.sessionIndex, bounds, clock, log.error, budgetsOf(config));
  return { name: 'retention', start: () => retention.start(), close: () => retention.close() };
};
