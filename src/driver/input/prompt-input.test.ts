/** Types into a real pane, in which a shell shows a prompt line. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { targetIn } from '../../testing/pane.ts';
import { captureScreen } from '../../tmux/server/panes.ts';
import { endServer, startPrivateServer } from '../../tmux/server/private-server.ts';
import type { Target } from '../../tmux/input/send.ts';
import { textToPaste, pressEnter, typeText } from './prompt-input.ts';

let folder: string;
let target: Target;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dv-type-'));
});

afterEach(async () => {
  await endServer(join(folder, 't'));
  rmSync(folder, { recursive: true });
});

/** Opens a pane with the cursor in a prompt line that holds this draft; typed text is echoed there. */
const pane = async (draft: string): Promise<void> => {
  const script = join(folder, 'pane.sh');
  const rule = '─'.repeat(20);
  writeFileSync(
    script,
    `clear; printf '${rule}\\n❯ ${draft}\\n${rule}\\n\\033[2A\\033[${draft.length + 2}C'; cat >'${folder}/got'\n`,
  );
  const env = { PATH: process.env.PATH, LANG: 'C.UTF-8' };
  const place = await startPrivateServer({ socket: join(folder, 't'), script, cwd: folder, env });
  await expect.poll(() => captureScreen(place.socket, place.pane)).toContain(`❯ ${draft}`.trim());
  target = await targetIn(place);
};

test('text appears in the line before Enter is pressed', async () => {
  await pane('');
  expect(await typeText(target, "it's #{pane_id} $(x) é", 3_000)).toBe('typed');
  let looks = 0;
  expect(await pressEnter(target, "it's #{pane_id} $(x) é", () => ++looks > 2, 3_000)).toBe(true);
  expect(execFileSync('cat', [join(folder, 'got')], { encoding: 'utf8' }).trim()).toBe(
    "it's #{pane_id} $(x) é",
  );
});

test("a person's draft is left alone", async () => {
  await pane('half a thought');
  const before = await captureScreen(target.socket, target.pane);
  expect(await typeText(target, 'mine', 1_000)).toBe('draft');
  expect(await captureScreen(target.socket, target.pane)).toBe(before);
});

test('text that was submitted last and is still shown is not a draft', async () => {
  await pane('');
  expect(await typeText(target, 'one', 3_000)).toBe('typed');
  expect(await typeText(target, 'two', 1_000, false, 'one')).toBe('stale');
  expect(await typeText(target, 'two', 1_000, false, 'none')).toBe('draft');
  execFileSync('tmux', ['-S', target.socket, 'send-keys', '-t', target.pane, '-l', 'and more']);
  await expect.poll(() => captureScreen(target.socket, target.pane)).toContain('and more');
  expect(await typeText(target, 'two', 1_000, false, 'one')).toBe('draft');
});

test('text typed by a person at the same moment is noticed', async () => {
  await pane('');
  // The pane shows keys and the paste in one line: a person was faster by a letter.
  const typing = typeText(target, 'mine', 3_000);
  execFileSync('tmux', ['-S', target.socket, 'send-keys', '-t', target.pane, '-l', 'x']);
  expect(['mixed', 'draft']).toContain(await typing);
});

test('nothing is typed where there is no prompt line', async () => {
  await pane('');
  expect(await typeText({ ...target, pane: '%77' }, 'mine', 500)).toBe('no prompt');
});

test('text that would run a command is escaped', () => {
  expect(textToPaste('!ls')).toBe(' !ls ');
  expect(textToPaste('/clear')).toBe(' /clear ');
  expect(textToPaste('ends \\')).toBe('ends \\ ');
});
