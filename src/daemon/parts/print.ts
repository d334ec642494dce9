/** The pool of CLIs that wait for `drover print --warm`. */
import { locateCli } from '../../claude/find-cli.ts';
import { Pool } from '../../print/pool/pool.ts';
import { printHandlers } from '../../server/handlers/print.ts';
import type { Core } from '../core.ts';

export const openPrint = ({ config, clock, log }: Core) => {
  const { size, minutes } = config.warm;
  const pool = new Pool({
    size,
    age: minutes * 60_000,
    now: clock.now,
    claude: env => locateCli(env, config.claude)?.path ?? null,
    onError: log.error,
  });
  return {
    name: 'print',
    handlers: printHandlers(pool),
    status: () => ({ ready: pool.ready, size }),
    close: () => pool.close(),
  };
};
