import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { forgetReadings } from './platform/processes.ts';
import { placeText, terminalPlaceOf } from './terminal-place.ts';

test('a place is described by program and tty', () => {
  expect(placeText({ program: 'iTerm2', tty: '/dev/ttys003' })).toBe('iTerm2 on /dev/ttys003');
  expect(placeText({ program: null, tty: '/dev/pts/1' })).toBe('a terminal on /dev/pts/1');
  expect(placeText({ program: null, tty: null })).toBe('no terminal');
});

test('a process without a terminal has none, and one that is gone no place', async () => {
  const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(terminalPlaceOf(child.pid as number)).toEqual({ program: null, tty: null });
  child.kill('SIGKILL');
  await once(child, 'exit');
  forgetReadings();
  expect(terminalPlaceOf(child.pid as number)).toBeNull();
});
