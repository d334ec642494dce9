/** The owner's token and the named ones. */
import { isToken } from '../../contract/caller.ts';
import type { Streams } from '../../live/streams.ts';
import { tokenHandlers } from '../../server/handlers/tokens.ts';
import { Tokens } from '../../server/tokens.ts';
import type { Core } from '../core.ts';

export const openTokens = ({ paths, clock, log }: Core, { streams }: { streams: Streams }) => {
  const tokens = new Tokens(paths, clock, log.error);
  return {
    name: 'tokens',
    tokens,
    handlers: tokenHandlers(tokens, name => streams.disconnectWhere(isToken(name))),
  };
};
