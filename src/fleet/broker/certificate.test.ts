import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { selfSigned } from './certificate.ts';

test('a certificate is valid for its names and its period, and has its own serial number', () => {
  const one = new X509Certificate(selfSigned(['drover', 'localhost'], 20 * 365).cert);
  expect(one.verify(one.publicKey)).toBe(true);
  expect(one.subjectAltName).toBe('DNS:drover, DNS:localhost, IP Address:127.0.0.1');
  expect(one.checkHost('drover')).toBe('drover');
  const years = (Date.parse(one.validTo) - Date.now()) / (365 * 86_400_000);
  expect(years).toBeGreaterThan(19.9);
  expect(Date.parse(one.validFrom)).toBeLessThan(Date.now());
  expect(new X509Certificate(selfSigned(['drover'], 1).cert).serialNumber).not.toBe(one.serialNumber);
});

test('a certificate ends by 2049, the last year that its two digits can express', () => {
  const { validTo } = new X509Certificate(selfSigned(['drover'], 100 * 365).cert);
  expect(new Date(validTo).getUTCFullYear()).toBe(2049);
});
