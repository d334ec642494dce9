import { expect, test } from 'vitest';
import { cldArgs } from './cld-args.ts';

test.each<[string, string | null]>([
  ['resume 23e30f82', 'resume 23e30f82'],
  ['resume -y 23e30f82 -- --model opus', 'resume -y 23e30f82 -- --model opus'],
  ['fork 23e30f82', 'resume --fork 23e30f82'],
  ['resume --yolo', 'resume --danger'],
  ['', 'resume --or-new'],
  ['-y -D', 'resume --or-new -y -D'],
  ['--yolo', 'resume --or-new --danger'],
  ['--version', null],
  ['-y explain this', null],
  ['mcp list', null],
])('cld %s', (words, meant) => {
  expect(cldArgs(words.split(' ').filter(Boolean))).toEqual(meant?.split(' ') ?? null);
});
