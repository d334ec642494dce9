/** A question in a terminal whose input ends, or whose clock is set back, does not wait for ever. */
import { PassThrough } from 'node:stream';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { boardLimits } from '../../board-limits.ts';
import { choice, confirm, confirmAction } from './question.ts';

afterEach(() => void vi.restoreAllMocks());

/** Replaces the terminal; `shown` is what was written to it. */
const terminal = () => {
  const input = Object.assign(new PassThrough(), { setRawMode: vi.fn() });
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as unknown as typeof process.stdin);
  const shown = { text: '' };
  vi.spyOn(process.stdout, 'write').mockImplementation(text => {
    shown.text += String(text);
    return true;
  });
  return { input, shown };
};

test.each([
  ['confirm', () => confirm('Go on?'), false],
  ['confirmAction', () => confirmAction('Remove it?'), false],
  ['choice', () => choice('Which?', ['a', 'b']), null],
])('the end of input is no: %s', async (_, ask, no) => {
  const { input } = terminal();
  const answer = ask();
  input.end();
  expect(await answer).toBe(no);
  const broken = terminal();
  const second = ask();
  broken.input.destroy(new Error('read EIO'));
  expect(await second).toBe(no);
});

test('a word, a paste and an early y ask again; then Enter is no, also after the clock was set back', async () => {
  const { input, shown } = terminal();
  const answer = confirmAction('Remove it?');
  input.write('y');
  await pauseFor(boardLimits.confirmDelay);
  vi.spyOn(Date, 'now').mockReturnValue(0);
  for (const text of ['q', 'quit', 'y\r', 'yes']) {
    input.write(text);
    await new Promise(setImmediate);
  }
  input.write('\r');
  expect(await answer).toBe(false);
  expect(shown.text.split('Remove it? [y/N]')).toHaveLength(7);
  expect(input.setRawMode.mock.calls).toEqual([[true], [false]]);
});
