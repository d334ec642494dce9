import { expect, test } from 'vitest';
import { readQr } from '../../../test/rig/qr.ts';
import { qrCode } from './qr-code.ts';
import { qrText } from './qr-text.ts';

const plain = (text: string): string => text.replaceAll(/\x1b\[[\d;]*m/g, '');

test.each([1, 17, 18, 53, 78, 106, 134, 154, 192, 230])('a text of %i bytes can be read again', length => {
  const text = Array.from({ length }, (_, n) => 'https://drover.example/#ticket=é'[(n * 7) % 31]).join('');
  expect(readQr(plain(qrText(text)))).toBe(text);
});

test('an address with a ticket fits into 41 modules; what does not fit is refused', () => {
  expect(qrCode(`https://desk.example.ts.net/#ticket=${'x'.repeat(43)}`).length).toBeLessThanOrEqual(41);
  expect(() => qrCode('x'.repeat(600))).toThrow(RangeError);
});

test('a wrong module is noticed', () => {
  const drawn = plain(qrText('https://drover.example'));
  const lines = drawn.split('\n');
  const middle = Math.floor(lines.length / 2);
  const line = lines[middle] ?? '';
  lines[middle] = `${line.slice(0, 16)}${line[16] === ' ' ? '█' : ' '}${line.slice(17)}`;
  expect(() => readQr(lines.join('\n'))).toThrow(/wrong/);
});
