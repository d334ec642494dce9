/** The last resort: an error that nobody handled is logged, and the daemon goes on. Each one is a fault to be mended. */
import type { DaemonLog } from './log.ts';

/** Catches what would end this process; returns how to stop that. */
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
