/** HMAC-SHA256 and SHA-256 by WebCrypto, which browsers offer at https addresses and on loopback. */

export type Mac = CryptoKey;

/** A key that can be used but not read. */
export const key = (secret: Uint8Array<ArrayBuffer>): Promise<Mac> =>
  crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);

export const keyOfText = (text: string): Promise<Mac> => key(new TextEncoder().encode(text));

export const macBytes = async (secret: Mac, text: string): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.sign('HMAC', secret, new TextEncoder().encode(text)));

export const mac = async (secret: Mac, text: string): Promise<string> =>
  base64url(await macBytes(secret, text));

export const digest = async (text: string): Promise<string> =>
  base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));

export const newNonce = (): string => base64url(crypto.getRandomValues(new Uint8Array(16)));

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
