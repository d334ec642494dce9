/** Encrypt and sign push messages. The only file that loads the library; it is imported when it is used. */
import webPush from 'web-push';
import type { PushSubscription } from '../../contract/push.ts';
import { limits } from '../../limits.ts';

/** The keys that a push service knows this daemon by. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

/** A request to a push service, ready to be sent. */
export interface PushRequest {
  endpoint: string;
  headers: Record<string, string>;
  body: Buffer;
}

export const generateKeys = (): VapidKeys => webPush.generateVAPIDKeys();

/** Encrypts a text for one device. An undelivered message with the same topic is replaced. */
export const encrypt = (
  subscription: PushSubscription,
  text: string,
  { subject, keys, topic }: { subject: string; keys: VapidKeys; topic: string },
): PushRequest => {
  const { endpoint, headers, body } = webPush.generateRequestDetails(subscription, text, {
    vapidDetails: { subject, ...keys },
    TTL: limits.push.ttl / 1_000,
    urgency: 'high',
    topic,
    contentEncoding: 'aes128gcm',
  });
  return { endpoint, headers, body };
};
