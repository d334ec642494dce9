/** Interrupts and stops a session in a real pane. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../clock.ts';
import { processStart } from '../../platform/processes.ts';
import type { Folded } from '../../session/memory.ts';
import { openTestPane, targetIn } from '../../testing/pane.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { SessionControls } from './session-controls.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';

/** A working session in a pane where no program reacts to keys; the terminal itself may echo them. */
const working = async (echo = 'echo') => {
  const { folder, socket, pane } = await openTestPane(
    dir => `stty -icanon ${echo}; exec cat >'${dir}/keys'\n`,
  );
  const pressed = join(folder, 'keys');
  await vi.waitFor(() => expect(existsSync(pressed)).toBe(true), 5_000);
  const { loop } = await openPipeline();
  loop.startConfirming(() => Promise.resolve());
  const { serverPid, reader } = await targetIn({ socket, pane });
  const context = { pane, socket, serverPid: serverPid ?? 0, pid: (reader as { pid: number }).pid };
  const report = (name: string, source: 'hook' | 'transcript' = 'hook') =>
    loop.append([{ draft: { ...hookDraft(name, {}, context), source } }]);
  await report('UserPromptSubmit');
  const controls = new SessionControls(loop, systemClock, () => Promise.resolve());
  const session = () => loop.sessionIndex.get(id) as Folded;
  const keys = () => readFileSync(pressed, 'utf8');
  return { report, session, keys, interrupt: (ms?: number) => controls.interrupt(session(), ms) };
};

test('an interrupt returns the state that shows it', async () => {
  const { report, interrupt } = await working();
  const done = interrupt();
  await report('Interrupted', 'transcript');
  expect(await done).toMatchObject({ id, state: 'waiting', reason: 'interrupted' });
});

test('an Esc without an effect is a failure', async () => {
  const { interrupt } = await working();
  await expect(interrupt(200)).rejects.toMatchObject({
    code: 'failed',
    message: 'Esc was pressed, but aaaaaaaa is working after 0.2 s: it had no visible effect.',
  });
});

test('a turn that ended by itself was not interrupted', async () => {
  const { report, interrupt } = await working();
  const done = interrupt();
  void report('Stop');
  await expect(done).rejects.toMatchObject({
    code: 'refused',
    message: 'aaaaaaaa is waiting/stopped: its turn ended before Esc had an effect.',
  });
  await expect(interrupt()).rejects.toMatchObject({
    message: 'aaaaaaaa is waiting/stopped: there is nothing to interrupt.',
  });
});

test('Esc cancels the form of an MCP server, and the turn continues', async () => {
  const { report, session, interrupt } = await working();
  await report('Elicitation');
  await vi.waitFor(() => expect(session().reason).toBe('elicitation'), 5_000);
  const done = interrupt();
  await report('ElicitationResult');
  expect(await done).toMatchObject({ state: 'working' });
});

test.each([
  ['again while a dialog that ignores it is unchanged', '-echo', /^\x1b{2}$/],
  ['once when the screen has changed', 'echo', /^\x1b$/],
])('Esc is pressed %s', async (_, echo, presses) => {
  const { report, session, interrupt, keys } = await working(echo);
  await report('Elicitation');
  await vi.waitFor(() => expect(session().reason).toBe('elicitation'), 5_000);
  await expect(interrupt(3_000)).rejects.toMatchObject({ code: 'failed' });
  expect(keys()).toMatch(presses);
});

test.each([
  ['its own process', 0, false],
  ['spares a process that has reused its pid', 60_000, true],
])('a stop ends the session and %s', async (_, ago, lives) => {
  const child = spawn('sleep', ['60']);
  onTestFinished(() => void child.kill());
  const pid = child.pid as number;
  const { loop } = await openPipeline();
  await loop.append([{ draft: hookDraft('SessionStart', {}, { pid }, Date.now() - ago) }]);
  const controls = new SessionControls(loop, systemClock, () => Promise.resolve());
  const ended = await controls.stop(loop.sessionIndex.get(id) as Folded);
  expect([ended.state, processStart(pid) !== null]).toEqual(['ended', lives]);
});
