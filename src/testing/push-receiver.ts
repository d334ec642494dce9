/**
 * A push service on loopback, and a device that is subscribed there with keys of its own. It checks the signature of the sender
 * and decrypts what arrives with nothing but node:crypto, as RFC 8291 and RFC 8292 say.
 */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { PushMessage, PushSubscription } from '../contract/push.ts';
import { waitFor } from './wait-for.ts';

export interface PushReceiver {
  subscription: PushSubscription;
  /** Every message that arrived, decrypted. */
  messages: PushMessage[];
  /** What the senders claimed, from their signed tokens. */
  senders: { aud: string; sub: string; exp: number }[];
  /** The status of the next answers. */
  status: number;
  /** Awaits a message that fits, also one that came before. */
  next: (fits?: (message: PushMessage) => boolean) => Promise<PushMessage>;
}

export const openPushReceiver = async (): Promise<PushReceiver> => {
  const device = createECDH('prime256v1');
  const p256dh = device.generateKeys().toString('base64url');
  const auth = randomBytes(16);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      service.senders.push(senderOf(request.headers.authorization ?? ''));
      service.messages.push(JSON.parse(decrypted(Buffer.concat(chunks))) as PushMessage);
      response.writeHead(service.status).end();
    });
  });
  const decrypted = (body: Buffer): string => {
    const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 86)];
    const derive = (secret: Buffer, salted: Buffer, info: Buffer, length: number) =>
      Buffer.from(hkdfSync('sha256', secret, salted, info, length));
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), device.getPublicKey(), sender]);
    const secret = derive(device.computeSecret(sender), auth, info, 32);
    const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
    const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(body.subarray(-16));
    const padded = Buffer.concat([decipher.update(body.subarray(86, -16)), decipher.final()]);
    return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
  };
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const service: PushReceiver = {
    subscription: {
      endpoint: `http://127.0.0.1:${port}/device`,
      keys: { p256dh, auth: auth.toString('base64url') },
    },
    messages: [],
    senders: [],
    status: 201,
    next: (fits = () => true) =>
      waitFor(() => {
        const found = service.messages.find(fits);
        if (!found) throw new Error(`not among ${JSON.stringify(service.messages)}`);
        return found;
      }),
  };
  return service;
};

/** Reads the token of a sender; throws unless it is signed with the key beside it. */
const senderOf = (authorization: string): PushReceiver['senders'][number] => {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(half => half.toString('base64url'));
  const publicKey = createPublicKey({
    key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' },
    format: 'jwk',
  });
  const [head = '', claims = '', signature = ''] = token.split('.');
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('the token of the sender is not signed with its key');
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as PushReceiver['senders'][number];
};
