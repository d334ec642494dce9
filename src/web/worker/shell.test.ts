import { expect, test } from 'vitest';
import { isChunk, isShell } from './shell.ts';

test.each([
  ['https://drover.example/', true],
  ['https://drover.example/page/app.js', true],
  ['https://drover.example/#/s/1', true],
  ['https://drover.example/sessions', false],
  ['https://drover.example/page/icon.svg?count=3', false],
  ['https://other.example/', false],
])('%s is a file of the page: %s', (address, isFile) => {
  expect(isShell(address, 'https://drover.example')).toBe(isFile);
});

test.each([
  ['https://drover.example/page/chunks/day-ABCD2345.js', true],
  ['https://drover.example/page/chunks/day-ABCD2345.js?again', false],
  ['https://drover.example/page/chunks/deeper/day.js', false],
  ['https://drover.example/page/app.js', false],
  ['https://other.example/page/chunks/day-ABCD2345.js', false],
])('%s is a chunk: %s', (address, isFile) => {
  expect(isChunk(address, 'https://drover.example')).toBe(isFile);
});
