/** The pool of CLIs that wait for `drover print --warm`. */
import { locateCli } from '../../claude/find-cli.ts';
import { Pool } from '../../print/pool/pool.ts';
import { printHandlers } from '../../server/handlers/print.ts';
import type { Core } from '../core.ts';

export const openPrint = ({ config, clock, log }: Core) => {
  const pool = new Pool({
    get size() {
      return config.warm.size;
    },
    get age() {
      return config.warm.minutes * 60_000;
    },
    clock,
    claude: env => locateCli(env, config.claude)?.path ?? null,
    onError: log.error,
  });
  return {
    name: 'print',
    handlers: printHandlers(pool),
    status: () => ({ ready: pool.ready, size: config.warm.size }),
    close: () => pool.close(),
  };
};
