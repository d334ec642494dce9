/** Push notifications for paired devices. */
import type { RequestAnswers } from '../../hub/request/answer-request.ts';
import { ActionKeys } from '../../notify/push/action-keys.ts';
import { ntfyDevice } from '../../notify/ntfy.ts';
import type { NoticeSession } from '../../notify/push/message.ts';
import { Push } from '../../notify/push/push.ts';
import { pushHandlers } from '../../server/handlers/push.ts';
import { findSession } from '../../server/handlers/sessions.ts';
import type { Pages } from '../../server/pages.ts';
import type { Address } from '../address.ts';
import type { Core } from '../core.ts';
import { redactor } from '../redact.ts';

export interface PushPartDeps {
  pages: Pages;
  answers: RequestAnswers;
  address: Address;
  /** Called when a device has subscribed or unsubscribed. */
  onSubscription: () => void;
}

export const openPush = (
  { config, clock, loop, paths, env }: Core,
  { pages, answers, address, onSubscription }: PushPartDeps,
) => {
  const { sessionIndex } = loop;
  const actionKeys = new ActionKeys(clock);
  const push = new Push(() => config.push, {
    keyFile: paths.pushKeys,
    actionKeys,
    devices: () => pages.subscribers(),
    unsubscribe: ({ id, subscription }) => pages.unsubscribe(id, subscription.endpoint),
    requestsOf: id => sessionIndex.get(id)?.requests.map(request => request.id) ?? [],
    readRequest: async (id, request) => answers.read(findSession(sessionIndex, id), request),
    mask: redactor(() => config.redact),
    isTest: env.DROVER_TEST_PUSH === '1',
  });
  return {
    name: 'push',
    push,
    reload: (changed: ReadonlySet<string>) => {
      if (changed.has('push')) onSubscription();
      if (changed.has('notify')) actionKeys.clear(ntfyDevice);
    },
    /** Revokes the keys of every notification that was sent. */
    revokeKeys: () => actionKeys.clear(),
    /** The channel for notices, while a device is subscribed. */
    channels: () => push.channels(),
    offerToNtfy: (session: NoticeSession, details: boolean) => push.offer(session, ntfyDevice, details),
    handlers: pushHandlers({
      pages,
      port: () => address.port,
      push,
      actionKeys,
      sessionIndex,
      answers,
      clock,
      hasNtfyActions: () => config.notify?.ntfy?.actions === true,
      onSubscription,
    }),
  };
};
