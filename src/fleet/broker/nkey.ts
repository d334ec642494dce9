/** Logins of our own broker: an Ed25519 key in the text form of NATS, an "nkey". */
import { generateKeyPairSync } from 'node:crypto';
import { base32 } from '../base32.ts';

export interface BrokerLogin {
  /** Public part, as the broker's settings name it: `U…`. */
  public: string;
  /** Signs in, `SU…`. */
  seed: string;
}

export const makeLogin = (): BrokerLogin => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  // Both forms of DER end with the 32 bytes of the key itself.
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-32);
  const open = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  return { public: encoded([user], open), seed: encoded([seed | (user >> 5), (user & 31) << 3], secret) };
};

/** What the key is for, in the bits that become the first letter: `U` and `S`. */
const user = 20 << 3;
const seed = 18 << 3;

const encoded = (prefix: number[], key: Buffer): string => {
  const body = Buffer.concat([Buffer.from(prefix), key]);
  const checksum = crc16(body);
  return base32(Buffer.concat([body, Buffer.from([checksum & 0xff, checksum >> 8])])).toUpperCase();
};

/** CRC-16 with the polynomial 0x1021. */
const crc16 = (bytes: Buffer): number => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc;
};
