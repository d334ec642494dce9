/** How this tab comes in: a ticket from the address, or the key that it has from before. */
import type { PageKey } from '../../contract/page.ts';
import { routePaths } from '../../client/routes.generated.ts';
import { errorIn, hasCode } from './daemon-error.ts';
import { forgetKey, holdKey, keyOf } from './key.ts';

/** True once this tab may speak; false: it has to be opened with a ticket. */
export const enter = async (): Promise<boolean> => {
  const ticket = /^#ticket=([\w-]+)$/.exec(location.hash)?.[1];
  if (ticket === undefined) return keyOf() !== null;
  // Out of the address before anything else: it is not to be seen, kept or sent on.
  history.replaceState(null, '', '/');
  const response = await fetch(routePaths.enterPage[1], {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ticket }),
  });
  if (response.ok) {
    holdKey(((await response.json()) as PageKey).key);
    return true;
  }
  const error = errorIn(await response.text());
  if (hasCode(error, 'bad_ticket')) return keyOf() !== null;
  throw error;
};

/** Signs this browser out, with all its tabs. */
export const leave = async (): Promise<void> => {
  const key = keyOf();
  forgetKey();
  if (key !== null)
    await fetch(routePaths.leavePage[1], { method: 'DELETE', headers: { 'X-Drover-Page': key } });
};
