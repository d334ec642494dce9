/** Takes in what hooks left in the spool. */
import { Aside } from '../../hook/aside.ts';
import { Receive } from '../../hook/receive.ts';
import type { Core } from '../core.ts';

export const openIngest = ({ paths, loop, clock, log }: Core) => {
  const aside = new Aside(paths.aside);
  const receive = new Receive(paths, loop, aside, clock, log.error);
  return {
    name: 'ingest',
    aside,
    receive,
    start: () => receive.start(),
    close: () => receive.close(),
  };
};

export type Ingest = ReturnType<typeof openIngest>;
