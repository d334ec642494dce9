/** Push notifications: a device subscribes, and answers a request from a notification. */
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { PushAnswer } from '../../contract/push.ts';
import type { RequestAnswers } from '../../hub/request/answer-request.ts';
import type { SessionIndex } from '../../live/session-index.ts';
import { ntfyDevice } from '../../notify/ntfy.ts';
import { type ActionKeys, expiredKey } from '../../notify/push/action-keys.ts';
import type { Push } from '../../notify/push/push.ts';
import { pastText } from '../../session/request/past-text.ts';
import type { ActionNotes, Handlers } from '../call.ts';
import { cookieOf } from '../page-cookie.ts';
import type { Pages } from '../pages.ts';
import { findSession } from './sessions.ts';

export interface PushParts {
  pages: Pages;
  port: () => number;
  push: Push;
  actionKeys: ActionKeys;
  sessionIndex: SessionIndex;
  answers: RequestAnswers;
  clock: Clock;
  /** Whether notifications of ntfy may answer now. */
  hasNtfyActions: () => boolean;
  /** Called when a device has subscribed or unsubscribed. */
  onSubscription: () => void;
}

/** Without the reason, which may show the request on a locked screen. */
const unanswered = 'Drover could not answer this request. Open it to see why.';

export const pushHandlers = (
  parts: PushParts,
): Pick<Handlers, 'readPush' | 'subscribePush' | 'unsubscribePush' | 'answerPush' | 'answerNotice'> => {
  const { pages, port, push, onSubscription } = parts;
  return {
    readPush: async ({ headers }) => {
      const device = pages.pairedId(cookieOf(headers, port()));
      return {
        key: await push.publicKey(),
        paired: device !== null,
        subscribed: pages.subscribers().some(({ id }) => id === device),
      };
    },
    subscribePush: ({ headers, body: subscription, action }) => {
      action.text = new URL(subscription.endpoint).host;
      const device = pages.pairedId(cookieOf(headers, port()));
      if (device === null)
        throw new DroverError(
          'refused',
          'Only a paired device gets push notifications.',
          '`drover open --qr` pairs one.',
        );
      push.check(subscription.endpoint);
      pages.subscribe(device, subscription);
      onSubscription();
      return { ok: true };
    },
    unsubscribePush: ({ headers }) => {
      const device = pages.pairedId(cookieOf(headers, port()));
      if (device !== null) pages.unsubscribe(device);
      onSubscription();
      return { ok: true };
    },
    // The app of ntfy has no cookie: the key alone counts, and only one that was made for ntfy.
    answerNotice: ({ body, action }) => {
      if (!parts.hasNtfyActions()) throw expiredKey();
      return answerBy(parts, body, ntfyDevice, action);
    },
    // The service worker proves that it knows the key of the page. The key of the notification names the request.
    answerPush: async ({ headers, caller, body, action }) => {
      if (headers['sec-fetch-site'] !== 'same-origin') throw new DroverError('bad_origin');
      const device = caller.kind === 'page' ? pages.pairedId(cookieOf(headers, port())) : null;
      if (device !== null) action.caller = { kind: 'page', name: device, session: null };
      return answerBy(parts, body, device, action);
    },
  };
};

/** Answers a request with the key of a notification, on the device that the key was made for. */
const answerBy = async (
  { actionKeys, sessionIndex, answers, clock }: PushParts,
  body: PushAnswer,
  device: string | null,
  action: ActionNotes,
) => {
  const { request, choice } = body;
  action.text = `${choice}, from a notification`;
  const id = actionKeys.use(body, device);
  // An attempt with a wrong key is not recorded: anybody could fill the audit.
  action.caller ??= { kind: 'notification', name: device, session: null };
  action.session = id;
  action.requestId = request;
  const session = findSession(sessionIndex, id);
  try {
    return await answers.answer(session, { id: request, choice }, true);
  } catch (error) {
    if (!(error instanceof DroverError)) throw error;
    const past = sessionIndex.get(id)?.memory.past.find(one => one.id === request);
    throw new DroverError('stale_action', past ? `${pastText(past, clock.now())}.` : unanswered);
  }
};
