/** Logs errors that nothing handled, so that the daemon continues. Each one is a bug. */
import type { DaemonLog } from './log.ts';

/** Catches what would end this process. Returns a function that stops catching. */
export const catchUnhandled = (log: Pick<DaemonLog, 'error'>): (() => void) => {
  const exception = (error: unknown) => log.error('An exception was not handled', error);
  const rejection = (error: unknown) => log.error('A rejected promise was not handled', error);
  process.on('uncaughtException', exception);
  process.on('unhandledRejection', rejection);
  return () => {
    process.off('uncaughtException', exception);
    process.off('unhandledRejection', rejection);
  };
};
