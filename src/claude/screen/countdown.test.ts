import { expect, test } from 'vitest';
import { countdownOf, timesIn } from './countdown.ts';

const screen = (left: string, command = 'rm -rf ~/*') => `● Bash(${command})
──────────────────────────────
 Bash command

 Run it at 10:30
╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
 ${command}
╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
 ⚠ Claude Code will automatically block this request in ${left}, to avoid
 holding up an unattended session
 Do you want to proceed?
 ❯ 1. Yes
   2. No

 Esc to cancel · Tab to amend
`;

const times = (text: string) => timesIn(text.split('\n'), 30);

const leftIn = (before: string, after: string, elapsed: number): number | null =>
  countdownOf(times(before) ?? new Map(), times(after) ?? new Map(), elapsed);

test('a time that runs down in a dialog is its countdown', () => {
  expect(leftIn(screen('1:59'), screen('1:58'), 1_200)).toBe(118);
  expect(leftIn(screen('1:00'), screen('0:59'), 1_200)).toBe(59);
  expect(leftIn(screen('2:00', 'sleep 1:55'), screen('1:58', 'sleep 1:55'), 1_200)).toBe(118);
});

test('a time that stays, or jumps as no clock does, is none', () => {
  expect(leftIn(screen('later', 'at 1:55'), screen('later', 'at 1:55'), 1_200)).toBeNull();
  expect(leftIn(screen('1:59'), screen('0:30'), 1_200)).toBeNull();
  expect(leftIn(screen('1:58'), screen('1:59'), 1_200)).toBeNull();
});

test('without a dialog there are no times, even if the text above has some', () => {
  expect(times('● It starts at 1:55\n\n❯ \n')).toBeNull();
  expect(times(screen('a while').replace('10:30', 'noon'))?.size).toBe(0);
});
