/** Named tokens: list, add, remove, rotate. */
import type { TokenList } from '../../contract/token.ts';
import type { Handlers } from '../call.ts';
import type { Tokens } from '../tokens.ts';

export const tokenHandlers = (
  tokens: Tokens,
  /** Ends the streams of a token. */
  endStreams: (name: string) => void,
): Pick<Handlers, 'listTokens' | 'addToken' | 'removeToken' | 'renewToken'> => ({
  listTokens: (): TokenList => ({ tokens: tokens.list() }),
  addToken: ({ body, action }) => {
    action.text = `add ${body.name}: ${body.rights.join(', ')}`;
    return tokens.add(body);
  },
  removeToken: ({ params: { id }, action }) => {
    action.text = `remove ${id}`;
    const removed = tokens.remove(id);
    endStreams(id);
    return removed;
  },
  renewToken: ({ params: { id }, action }) => {
    action.text = `rotate ${id}`;
    const renewed = tokens.renew(id);
    endStreams(id);
    return renewed;
  },
});
