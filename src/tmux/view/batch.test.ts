/** Batches on a real tmux server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { paneLine, serverLine } from './batch.ts';
import { tmux } from '../server/run.ts';

const setUp = async () => {
  const root = mkdtempSync(join(tmpdir(), 'du-'));
  const socket = join(root, 's');
  onTestFinished(async () => {
    await tmux(socket, ['kill-server']);
    rmSync(root, { recursive: true, force: true });
  });
  await tmux(socket, ['-f', '/dev/null', 'new-session', '-d', '-x', '80', '-y', '24', 'exec sleep 60']);
  const { stdout } = await tmux(socket, ['display-message', '-p', '-t', '%0', '#{pid} #{pane_pid}']);
  const [serverPid = 0, panePid = 0] = stdout.trim().split(' ').map(Number);
  const send = (...lines: string[]) =>
    tmux(socket, ['source-file', '-q', '-'], { input: `${lines.join('\n')}\n` });
  const value = async (name: string) =>
    (await tmux(socket, ['display-message', '-p', '-t', '%0', `#{${name}}`])).stdout.replace(/\n$/, '');
  return { serverPid, panePid, send, value };
};

test('sets options only on the right server, pane and process, and skips missing panes', async () => {
  const { serverPid, panePid, send, value } = await setUp();
  const right = { serverPid, pane: '%0', pids: [1, panePid, 2] };
  await send(
    paneLine({ ...right, serverPid: serverPid + 1 }, { '@server': 'x' }),
    paneLine({ ...right, pids: [panePid + 1] }, { '@process': 'x' }),
    paneLine({ ...right, pane: '%99' }, { '@gone': 'x' }),
    paneLine(right, { '@own': 'x' }),
  );
  expect([
    await value('@server'),
    await value('@process'),
    await value('@gone'),
    await value('@own'),
  ]).toEqual(['', '', '', 'x']);
});

test.each([
  `#(touch x)#[bg=red]`,
  `it's "tmuxQuote" $HOME ~ {braces} ; \\ back`,
  'two\nlines\\\nand a tab\t',
  'ünï 日本 🎉',
])('a value arrives unchanged: %j', async text => {
  const { serverPid, panePid, send, value } = await setUp();
  const target = { serverPid, pane: '%0', pids: [panePid] };
  await send(paneLine(target, { '@it': text, '@first': { first: 'one' }, '@gone': 'x' }));
  await send(paneLine(target, { '@first': { first: 'two' }, '@gone': null }));
  expect([await value('@it'), await value('@first'), await value('@gone')]).toEqual([text, 'one', '']);
});

test('sets server options only where our tmux.conf is loaded', async () => {
  const { send, value } = await setUp();
  await send(serverLine({ '@drover_count': '3' }));
  expect(await value('@drover_count')).toBe('');
  await send('set-option -s @drover_conf 1', serverLine({ '@drover_count': '3' }));
  expect(await value('@drover_count')).toBe('3');
});
