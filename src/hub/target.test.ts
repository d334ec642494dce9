import { expect, test } from 'vitest';
import type { Pane } from '../contract/session.ts';
import { aSession } from '../testing/session.ts';
import { assertReads } from '../tmux/input/send.ts';
import { readerFormat } from '../tmux/input/pane-reader.ts';
import { targetOf } from './target.ts';

const pane: Pane = {
  socket: '/host/default',
  serverPid: 40,
  id: '%3',
  pid: 77,
  session: null,
  window: null,
  windowIndex: null,
  foreign: true,
};

test('on the host of a container only what tmux says of the pane is checked, never a process of that pid here', () => {
  const target = targetOf(aSession({ pane: { ...pane, pid: process.pid }, pid: null }));
  expect(target).toMatchObject({ serverPid: 40, reader: { panePid: process.pid } });
  const reading = assertReads(target);
  expect(readerFormat(reading, 40)).toBe(
    `#{&&:#{==:#{pane_current_command},claude},#{&&:#{==:#{pid},40},#{m/r:^(${process.pid})$,#{pane_pid}}}}`,
  );
});

test('nothing is typed before tmux has named server and process of the pane', () => {
  expect(() => targetOf(aSession({ pane: { ...pane, pid: null } }))).toThrow('has not reported the process');
  expect(() => assertReads(targetOf(aSession({ pane: { ...pane, serverPid: null } })))).toThrow(
    'server is not known',
  );
});
