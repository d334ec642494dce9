/** Signs this tab in: by a ticket in the address, or by the key from before. */
import type { AnswerOf, InputOf } from '../../client/route-call.ts';
import { routePaths } from '../../client/routes.generated.ts';
import { errorIn, hasCode } from './daemon-error.ts';
import { forgetKey, storeKey, keyOf } from './key.ts';

/** True when this tab is signed in; false: it has to be opened with a ticket. */
export const signIn = async (): Promise<boolean> => {
  const [, ticket, place = ''] = /^#ticket=([\w-]+)(\/s\/.+)?$/.exec(location.hash) ?? [];
  if (ticket === undefined) return keyOf() !== null;
  // Removed from the address first, so that it is not shown, bookmarked or shared.
  history.replaceState(null, '', place === '' ? '/' : `/#${place}`);
  const response = await fetch(routePaths.enterPage[1], {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ticket } satisfies InputOf<'enterPage'>['body']),
  });
  if (response.ok) {
    const { key, device } = (await response.json()) as AnswerOf<'enterPage'>;
    storeKey(key, device);
    return true;
  }
  const error = errorIn(await response.text());
  if (hasCode(error, 'bad_ticket')) return keyOf() !== null;
  throw error;
};

/** Signs out this browser with all its tabs. */
export const signOut = async (): Promise<void> => {
  const key = keyOf();
  forgetKey();
  if (key !== null)
    await fetch(routePaths.leavePage[1], { method: 'DELETE', headers: { 'X-Drover-Page': key } });
};
