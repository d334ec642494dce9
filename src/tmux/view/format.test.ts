/** The status line as a real tmux server shows it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tmux } from '../server/run.ts';
import { formats } from './format.ts';

const shown = async (options: Record<string, string>): Promise<string> => {
  const root = mkdtempSync(join(tmpdir(), 'df-'));
  const socket = join(root, 's');
  onTestFinished(async () => {
    await tmux(socket, ['kill-server']);
    rmSync(root, { recursive: true, force: true });
  });
  await tmux(socket, ['-f', '/dev/null', 'new-session', '-d', '-x', '80', '-y', '24', 'exec sleep 60']);
  for (const [name, value] of Object.entries({ ...options, '@drover_segment': formats['@drover_segment'] }))
    await tmux(socket, ['set-option', '-s', name, value]);
  const { stdout } = await tmux(socket, ['display-message', '-p', '#{E:@drover_segment}']);
  return stdout.replaceAll(/#\[[^\]]*\]/g, '').trim();
};

test.each([
  ['nothing waits', { '@drover_count': '0' }, '✓'],
  ['sessions wait here', { '@drover_count': '2', '@drover_head': 'payments' }, '⏸ 2 payments'],
  [
    'some wait on other hosts too: the project is shortened',
    { '@drover_count': '2', '@drover_head': 'payments of the shop', '@drover_fleet': '3' },
    '⏸ 2 payments of th +3 elsewhere',
  ],
  ['they wait on other hosts only', { '@drover_count': '0', '@drover_fleet': '3' }, '⏸ +3 elsewhere'],
])('%s', async (_, options, text) => {
  expect(await shown({ '@drover_daemon': '1', ...options })).toBe(text);
});
