/** Typing into a real pane: a shell that shows what a prompt line looks like. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { targetIn } from '../../testing/pane.ts';
import { screenOf } from '../../tmux/server/panes.ts';
import { endServer, startPrivateServer } from '../../tmux/server/private-server.ts';
import type { Target } from '../../tmux/input/send.ts';
import { asTyped, pressEnter, typeText } from './prompt-input.ts';

let folder: string;
let target: Target;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dv-type-'));
});

afterEach(async () => {
  await endServer(join(folder, 't'));
  rmSync(folder, { recursive: true });
});

/** A pane whose cursor stands in a prompt line that holds this draft; what is typed is echoed there. */
const pane = async (draft: string): Promise<void> => {
  const script = join(folder, 'pane.sh');
  const rule = '─'.repeat(20);
  writeFileSync(
    script,
    `clear; printf '${rule}\\n❯ ${draft}\\n${rule}\\n\\033[2A\\033[${draft.length + 2}C'; cat >'${folder}/got'\n`,
  );
  const env = { PATH: process.env.PATH, LANG: 'C.UTF-8' };
  const place = await startPrivateServer({ socket: join(folder, 't'), script, cwd: folder, env });
  await expect.poll(() => screenOf(place.socket, place.pane)).toContain(`❯ ${draft}`.trim());
  target = await targetIn(place);
};

test('text is seen in the line before Enter is pressed', async () => {
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
  const before = await screenOf(target.socket, target.pane);
  expect(await typeText(target, 'mine', 1_000)).toBe('draft');
  expect(await screenOf(target.socket, target.pane)).toBe(before);
});

test('what was typed last and still stands there is not a draft', async () => {
  await pane('');
  expect(await typeText(target, 'one', 3_000)).toBe('typed');
  expect(await typeText(target, 'two', 1_000, false, 'one')).toBe('stale');
  expect(await typeText(target, 'two', 1_000, false, 'none')).toBe('draft');
  execFileSync('tmux', ['-S', target.socket, 'send-keys', '-t', target.pane, '-l', 'and more']);
  await expect.poll(() => screenOf(target.socket, target.pane)).toContain('and more');
  expect(await typeText(target, 'two', 1_000, false, 'one')).toBe('draft');
});

test('who types in the same moment is not taken for us', async () => {
  await pane('');
  // What the pane shows of a key and what comes by paste are one line: a person was faster by a letter.
  const typing = typeText(target, 'mine', 3_000);
  execFileSync('tmux', ['-S', target.socket, 'send-keys', '-t', target.pane, '-l', 'x']);
  expect(['mixed', 'draft']).toContain(await typing);
});

test('where there is no prompt line nothing is typed', async () => {
  await pane('');
  expect(await typeText({ ...target, pane: '%77' }, 'mine', 500)).toBe('no prompt');
});

test('what would not arrive as text is made harmless', () => {
  expect(asTyped('!ls')).toBe(' !ls ');
  expect(asTyped('/clear')).toBe(' /clear ');
  expect(asTyped('ends \\')).toBe('ends \\ ');
});
