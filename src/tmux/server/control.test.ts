/** A connection to a real tmux server, and typing over it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { targetIn } from '../../testing/pane.ts';
import { Control } from './control.ts';
import { captureScreen } from './panes.ts';
import { endServer, startPrivateServer } from './private-server.ts';
import { tmux } from './run.ts';
import type { Target } from '../input/send.ts';
import { pressEnter, pasteIntoPrompt } from '../../driver/input/prompt-input.ts';

let folder: string;
let target: Target;
let control: Control;

/** A pane with the cursor in an empty prompt line, which echoes what is typed. */
const open = async (): Promise<void> => {
  folder = mkdtempSync(join(tmpdir(), 'dv-control-'));
  const script = join(folder, 'pane.sh');
  const rule = '─'.repeat(20);
  writeFileSync(script, `clear; printf '${rule}\\n❯ \\n${rule}\\n\\033[2A\\033[2C'; cat >'${folder}/got'\n`);
  const env = { PATH: process.env.PATH, LANG: 'C.UTF-8' };
  const place = await startPrivateServer({ socket: join(folder, 't'), script, cwd: folder, env });
  await expect.poll(() => captureScreen(place.socket, place.pane)).toContain('❯');
  target = await targetIn(place);
  control = new Control(target.socket, target.pane);
};

beforeEach(open);

afterEach(async () => {
  await endServer(target.socket);
  await control.close();
  rmSync(folder, { recursive: true });
});

test('commands are answered in order, and an error names the command', async () => {
  await control.run(['set-buffer', '-b', 'odd', 'a #{pane_id}\n%end 1 2 1']);
  const [first, wrong, last] = await Promise.all([
    control.run(['show-buffer', '-b', 'odd']),
    control.run(['nonsense']),
    control.run(['capture-pane', '-p', '-t', target.pane]),
  ]);
  expect(first).toEqual({ ok: true, stdout: 'a #{pane_id}\n%end 1 2 1', error: null });
  expect(wrong).toMatchObject({ ok: false, error: expect.stringMatching(/^tmux nonsense: .*unknown/) });
  expect(last.stdout).toContain('❯');
  const size = ['display-message', '-p', '-t', target.pane, '#{window_width}x#{window_height}'];
  expect((await tmux(target.socket, size)).stdout.trim()).toBe('220x50');
});

test('reports when a pane paints, and stops waiting after the given time', async () => {
  await control.run(['display-message', '-p', '']);
  await control.paint(1);
  // Far above the timeout of this test, so that only the paint itself can end the wait.
  const painted = control.paint(600_000).then(() => 'painted');
  await control.run(['send-keys', '-t', target.pane, 'x']);
  expect(await painted).toBe('painted');
  await control.paint(1);
});

test('typed text arrives unchanged', async () => {
  const text = `it's #{pane_id} $(x) "é" \\ ~ ; %1`;
  const over = { ...target, control };
  expect(await pasteIntoPrompt(over, text, 3_000)).toBe('typed');
  let checks = 0;
  expect(await pressEnter(over, text, () => ++checks > 1, 3_000)).toBe(true);
  await expect.poll(() => readFileSync(join(folder, 'got'), 'utf8')).toBe(`${text}\n`);
});

test('after it is closed, nothing waits', async () => {
  const asked = control.run(['wait-for', 'never']);
  await control.close();
  await control.close();
  expect(await asked).toMatchObject({ ok: false, error: expect.stringContaining('wait-for') });
  expect(await control.run(['list-panes'])).toMatchObject({ ok: false });
  await control.paint(60_000);
});
