import { expect, test } from 'vitest';
import { memoryText } from './labels.ts';

test('memory is rounded, and never shown as a thousand megabytes', () => {
  expect([412_300_000, 999_499_999, 999_500_000, 1_349_000_000].map(memoryText)).toEqual([
    '412 MB',
    '999 MB',
    '1.0 GB',
    '1.3 GB',
  ]);
});
