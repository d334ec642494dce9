/**
 * Signs this tab in: by a ticket in the address, or by the key from before. The ticket itself is not sent: page and daemon prove to
 * each other that they know it, and derive the key of this browser from it.
 */
import type { AnswerOf, InputOf } from '../../client/route-call.ts';
import { routePaths } from '../../client/routes.generated.ts';
import { proofTexts } from '../../contract/page-proof.ts';
import { call } from './call.ts';
import { strangerError } from './channel.ts';
import { errorIn, hasCode } from './daemon-error.ts';
import { forgetKey, isMarked, keepKey } from './key.ts';
import { digest, key as importKey, keyOfText, mac, macBytes, newNonce } from './mac.ts';

/** True when this tab is signed in; false: it has to be opened with a ticket. */
export const signIn = async (): Promise<boolean> => {
  const [, ticket, place = ''] = /^#ticket=([\w-]+)(\/s\/.+)?$/.exec(location.hash) ?? [];
  if (ticket === undefined) return isMarked();
  // Removed from the address first, so that it is not shown, bookmarked or shared.
  history.replaceState(null, '', place === '' ? '/' : `/#${place}`);
  const secret = await keyOfText(ticket);
  const nonce = newNonce();
  const proof = await mac(secret, proofTexts.enter(location.host, nonce));
  const response = await fetch(routePaths.enterPage[1], {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ticket: await digest(ticket),
      nonce,
      proof,
    } satisfies InputOf<'enterPage'>['body']),
  });
  if (response.ok) {
    const { id, proof: theirs, device } = (await response.json()) as AnswerOf<'enterPage'>;
    const key = await macBytes(secret, proofTexts.key(nonce, id));
    if ((await mac(await importKey(key), proofTexts.entered(location.host, id))) !== theirs)
      throw strangerError();
    await keepKey(id, key, device);
    return true;
  }
  const error = errorIn(await response.text());
  if (hasCode(error, 'bad_ticket')) return isMarked();
  throw error;
};

/** Signs out this browser with all its tabs; this one even if the daemon does not answer. */
export const signOut = async (): Promise<void> => {
  await call('leavePage', { signal: AbortSignal.timeout(3_000) }).catch(() => {});
  await forgetKey();
};
