/** The page, and the browsers that are signed in. */
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programFile } from '../../program-file.ts';
import type { Streams } from '../../live/streams.ts';
import { redirectFile } from '../../files/redirect-file.ts';
import { pageHandlers } from '../../server/handlers/page.ts';
import { Pages } from '../../server/pages.ts';
import type { Tokens } from '../../server/tokens.ts';
import type { Address } from '../address.ts';
import type { Core } from '../core.ts';

export interface PageDeps {
  streams: Streams;
  tokens: Tokens;
  address: Address;
  /** Where the built files of the page are; beside the program by default. */
  folder?: string | undefined;
}

export const openPage = ({ paths, clock }: Core, { streams, tokens, address, folder }: PageDeps) => {
  const onRotate: (() => void)[] = [];
  const pages = new Pages(paths.pages, clock, id => rmSync(redirectFile(paths.opening, id), { force: true }));
  return {
    name: 'page',
    pages,
    /** Adds what else ends when the owner's token is rotated. */
    onRotate: (listener: () => void) => void onRotate.push(listener),
    // Tickets of an earlier daemon are not valid any more.
    prepare: () => rmSync(paths.opening, { recursive: true, force: true }),
    handlers: pageHandlers({
      folder: folder ?? join(dirname(programFile()), 'web'),
      pages,
      port: () => address.port,
      rotate: () => {
        tokens.renewOwner();
        for (const listener of onRotate) listener();
      },
      disconnect: fits => streams.disconnectWhere(fits),
    }),
  };
};
