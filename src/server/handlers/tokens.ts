/** Named tokens: listed, added, removed, renewed. */
import { AddToken, type TokenList } from '../../contract/token.ts';
import type { Handlers } from '../app.ts';
import { bodyOf } from '../body.ts';
import type { Tokens } from '../tokens.ts';

export const tokenHandlers = (
  tokens: Tokens,
  /** Ends the streams of a token. */
  endStreams: (name: string) => void,
): Pick<Handlers, 'listTokens' | 'addToken' | 'removeToken' | 'renewToken'> => ({
  listTokens: (): TokenList => ({ tokens: tokens.list() }),
  addToken: async ({ request, action }) => {
    const wish = await bodyOf(request, AddToken);
    action.text = `add ${wish.name}: ${wish.rights.join(', ')}`;
    return tokens.add(wish);
  },
  removeToken: ({ id, action }) => {
    action.text = `remove ${id}`;
    const removed = tokens.remove(id);
    endStreams(id);
    return removed;
  },
  renewToken: ({ id, action }) => {
    action.text = `rotate ${id}`;
    const renewed = tokens.renew(id);
    endStreams(id);
    return renewed;
  },
});
