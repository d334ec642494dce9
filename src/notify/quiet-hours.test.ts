import { expect, test } from 'vitest';
import { quietUntil } from './quiet-hours.ts';

const at = (day: number, hours: number, minutes = 0) => new Date(2026, 10, day, hours, minutes).getTime();

test('hours across midnight end the next morning', () => {
  const night = { from: '22:30', to: '07:15' };
  expect(quietUntil(night, at(16, 22, 29))).toBe(null);
  expect(quietUntil(night, at(16, 22, 30))).toBe(at(17, 7, 15));
  expect(quietUntil(night, at(17, 0, 0))).toBe(at(17, 7, 15));
  expect(quietUntil(night, at(17, 7, 14))).toBe(at(17, 7, 15));
  expect(quietUntil(night, at(17, 7, 15))).toBe(null);
  expect(quietUntil(night, at(30, 23))).toBe(new Date(2026, 11, 1, 7, 15).getTime());
});

test('hours within a day end on that day, and equal times mean none', () => {
  const lunch = { from: '12:00', to: '13:00' };
  expect(quietUntil(lunch, at(16, 11, 59))).toBe(null);
  expect(quietUntil(lunch, at(16, 12, 30))).toBe(at(16, 13));
  expect(quietUntil(lunch, at(16, 13))).toBe(null);
  expect(quietUntil({ from: '12:00', to: '12:00' }, at(16, 12))).toBe(null);
  expect(quietUntil(null, at(16, 12))).toBe(null);
});
