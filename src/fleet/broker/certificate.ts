/** Builds a self-signed certificate, because Node cannot make one. */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Encodes one DER value: tag, length, bytes. */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const long = body.length > 255 ? [0x82, body.length >> 8] : body.length > 127 ? [0x81] : [];
  return Buffer.concat([Buffer.from([tag, ...long, body.length & 0xff]), body]);
};

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const text = (tag: number, value: string) => der(tag, Buffer.from(value, 'latin1'));
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const bits = (body: Buffer) => der(0x03, Buffer.from([0]), body);

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const commonName = oid('550403');
const subjectAltName = oid('551d11');

const time = (ms: number) => text(0x17, `${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`);

export interface Certificate {
  key: string;
  cert: string;
}

/**
 * A certificate for these DNS names and for 127.0.0.1. It is valid from yesterday, because clocks differ, for this many days.
 * Its times have two digits for the year, which end in 2049.
 */
export const selfSigned = (names: [string, ...string[]], days: number): Certificate => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(commonName, text(0x0c, names[0]))));
  const alternatives = sequence(...names.map(one => text(0x82, one)), der(0x87, Buffer.from([127, 0, 0, 1])));
  const day = 86_400_000;
  const now = Date.now();
  // Positive and without a leading zero, as DER requires.
  const serial = randomBytes(16);
  serial[0] = ((serial[0] as number) & 0x3f) | 0x40;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    name,
    sequence(time(now - day), time(Math.min(now + days * day, Date.UTC(2049, 11, 31)))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(subjectAltName, der(0x04, alternatives)))),
  );
  const whole = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, privateKey)));
  const lines = whole.toString('base64').replace(/.{1,64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`,
  };
};
