/** Esc for a session: what is answered when the state shows it, when it never does, and when the turn was over first; and whom a stop ends. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../clock.ts';
import { processStart } from '../../proc.ts';
import type { Folded } from '../../session/memory.ts';
import { openTestPane, targetIn } from '../../testing/pane.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { Hands } from './stop.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';

/** A session at work in a pane in which nobody listens to keys; the terminal itself may show them. */
const working = async (echo = 'echo') => {
  const { folder, socket, pane } = await openTestPane(
    dir => `stty -icanon ${echo}; exec cat >'${dir}/keys'\n`,
  );
  const pressed = join(folder, 'keys');
  await vi.waitFor(() => expect(existsSync(pressed)).toBe(true), 5_000);
  const { loop } = await openPipeline();
  loop.startConfirming(() => Promise.resolve());
  const { serverPid, reader } = await targetIn({ socket, pane });
  const context = { pane, socket, serverPid: serverPid ?? 0, pid: reader.pid };
  const says = (name: string, source: 'hook' | 'transcript' = 'hook') =>
    loop.take([{ draft: { ...hookDraft(name, {}, context), source } }]);
  await says('UserPromptSubmit');
  const hands = new Hands(loop, systemClock, () => Promise.resolve());
  const session = () => loop.sessionIndex.get(id) as Folded;
  const keys = () => readFileSync(pressed, 'utf8');
  return { says, session, keys, interrupt: (ms?: number) => hands.interrupt(session(), ms) };
};

test('the state that shows it is the answer', async () => {
  const { says, interrupt } = await working();
  const done = interrupt();
  await says('Interrupted', 'transcript');
  expect(await done).toMatchObject({ id, state: 'waiting', reason: 'interrupted' });
});

test('an Esc that nobody hears is no success', async () => {
  const { interrupt } = await working();
  await expect(interrupt(200)).rejects.toMatchObject({
    code: 'failed',
    message: 'Esc was pressed, and aaaaaaaa is working after 0.2 s: nothing shows that it was heard.',
  });
});

test('a turn that came to its end by itself was not interrupted', async () => {
  const { says, interrupt } = await working();
  const done = interrupt();
  void says('Stop');
  await expect(done).rejects.toMatchObject({
    code: 'refused',
    message: 'aaaaaaaa is waiting/stopped: its turn was over before Esc was heard.',
  });
  await expect(interrupt()).rejects.toMatchObject({
    message: 'aaaaaaaa is waiting/stopped: there is nothing to interrupt.',
  });
});

test('the form of an MCP server is sent back: and the turn goes on', async () => {
  const { says, session, interrupt } = await working();
  await says('Elicitation');
  await vi.waitFor(() => expect(session().reason).toBe('elicitation'), 5_000);
  const done = interrupt();
  await says('ElicitationResult');
  expect(await done).toMatchObject({ state: 'working' });
});

test.each([
  ['again while a dialog that is deaf stands there as it did', '-echo', /^\x1b{2}$/],
  ['once where the screen has become another one', 'echo', /^\x1b$/],
])('Esc is pressed %s', async (_, echo, presses) => {
  const { says, session, interrupt, keys } = await working(echo);
  await says('Elicitation');
  await vi.waitFor(() => expect(session().reason).toBe('elicitation'), 5_000);
  await expect(interrupt(3_000)).rejects.toMatchObject({ code: 'failed' });
  expect(keys()).toMatch(presses);
});

test.each([
  ['its own process', 0, false],
  ['spares a process that has got its pid since', 60_000, true],
])('a stop ends the session and %s', async (_, ago, lives) => {
  const child = spawn('sleep', ['60']);
  onTestFinished(() => void child.kill());
  const pid = child.pid as number;
  const { loop } = await openPipeline();
  await loop.take([{ draft: hookDraft('SessionStart', {}, { pid }, Date.now() - ago) }]);
  const hands = new Hands(loop, systemClock, () => Promise.resolve());
  const ended = await hands.stop(loop.sessionIndex.get(id) as Folded);
  expect([ended.state, processStart(pid) !== null]).toEqual(['ended', lives]);
});
