/** The rig itself: what every other story relies on, on each version of the CLI. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { autoVersions, newest, versions } from './rig/cli.ts';
import { world } from './rig/story.ts';
import { witness } from './rig/witness.ts';
import { openWorld } from './rig/world.ts';

describe.each(versions)('Claude Code %s', version => {
  test('answers the prompt it was started with', async () => {
    const { claude, model } = await world({ version });
    const seat = await claude({ prompt: 'SAY hello' });
    await seat.sees('● hello');
    await seat.ready();
    const file = await seat.file(({ status }) => status === 'idle');
    expect(file).toMatchObject({ pid: await seat.pid(), version });
    expect(model.requests.find(request => request.turn)).toMatchObject({
      prompt: 'SAY hello',
      outcome: 'answered',
    });
  });

  test('asks before it runs a command, and runs it when approved', async () => {
    const { claude, dir } = await world({ version });
    const seat = await claude();
    await seat.ready();
    await seat.type('RUN touch made');
    await seat.asks('Do you want to proceed?');
    // The dialog may be painted before the file tells of it.
    const file = await seat.file(({ status }) => status === 'waiting');
    expect(file).toMatchObject({ waitingFor: 'permission prompt' });
    expect(existsSync(join(dir(), 'made'))).toBe(false);
    await seat.press('Enter');
    await seat.sees('● done');
    expect(existsSync(join(dir(), 'made'))).toBe(true);
  });

  test('asks before it writes a file', async () => {
    const { claude, dir } = await world({ version });
    const seat = await claude({ prompt: 'WRITE a.txt some text' });
    await seat.asks('Do you want to create a.txt?');
    await seat.press('Escape');
    await seat.file(({ status }) => status === 'idle');
    expect(existsSync(join(dir(), 'a.txt'))).toBe(false);
  });

  test('asks a question, and takes the answer', async () => {
    const { claude, model } = await world({ version });
    const seat = await claude({ prompt: 'ASK' });
    await seat.asks('Which size?');
    await seat.press('Down', 'Enter');
    await seat.sees('Which size? → Large');
    const request = await model.asked(({ body }) => JSON.stringify(body.messages).includes('Large'));
    // The answer continues the turn: it is no prompt of its own.
    expect(request.prompt).toBeNull();
    await seat.sees('● done');
  });

  test('asks several questions at once', async () => {
    const { claude } = await world({ version });
    const seat = await claude({ prompt: 'ASK2' });
    expect(await seat.asks('Which size?')).toMatch(/Size.+Extras.+Submit/);
    await seat.press('Escape');
    // 2.1.328 lists the questions below it.
    await seat.sees(/declined to answer/i);
  });

  test('shows a plan', async () => {
    const { claude } = await world({ version });
    const seat = await claude({ prompt: 'PLAN', permissionMode: 'plan' });
    expect(await seat.asks('Ready to code?')).toContain('1. Write the story');
  });

  test('runs a subagent, whose prompt is a script too', async () => {
    const opened = await world({ version });
    const hooks = await witness(opened);
    const seat = await opened.claude({ prompt: 'AGENT SAY from within' });
    await opened.model.asked(request => request.prompt === 'SAY from within');
    const started = await hooks.saw(event => event.name === 'SubagentStart');
    const stopped = await hooks.saw(event => event.name === 'SubagentStop');
    expect(stopped.payload.agent_id).toBe(started.payload.agent_id);
    await seat.sees('● done');
  });

  test('can be interrupted while it streams', async () => {
    const { claude, model } = await world({ version });
    const seat = await claude({ prompt: 'STREAM 500' });
    await seat.sees('line 3 of 500');
    await seat.press('Escape');
    await seat.sees('Interrupted');
    const request = await model.asked(({ outcome }) => outcome === 'dropped');
    expect(request.prompt).toBe('STREAM 500');
  });

  test('answers a prompt typed while a tool ran', async () => {
    const { claude } = await world({ version });
    const seat = await claude({ prompt: 'RUN sleep 2', args: ['--allowedTools', 'Bash(sleep:*)'] });
    await seat.sees('Running');
    await seat.type('SAY queued');
    await seat.sees('● queued');
    expect(await seat.screen()).not.toContain('Interrupted');
  });

  test('says when the API fails', async () => {
    const opened = await world({ version });
    const hooks = await witness(opened);
    await opened.claude({ prompt: 'FAIL' });
    const failed = await hooks.saw(event => event.name === 'StopFailure');
    expect(failed.payload.last_assistant_message).toContain('400');
  });

  test('starts over on /clear, in the same process', async () => {
    const { claude } = await world({ version });
    const seat = await claude({ prompt: 'SLEEP 200 SAY old' });
    await seat.sees('● old');
    const before = await seat.file(({ status }) => status === 'idle');
    await seat.type('/clear');
    const after = await seat.file(({ sessionId }) => sessionId !== before.sessionId);
    expect(after.pid).toBe(before.pid);
    await seat.type('SAY new');
    expect(await seat.sees('● new')).not.toContain('● old');
  });

  test('answers without a terminal', async () => {
    const { headless } = await world({ version });
    expect(await headless({ prompt: 'SAY hello' })).toEqual({ code: 0, stdout: 'hello\n', stderr: '' });
  });

  test("runs a user's own hook", async () => {
    const opened = await world({ version });
    const hooks = await witness(opened);
    const seat = await opened.claude({ prompt: 'SAY hello', inShell: true });
    const stop = await hooks.saw(event => event.name === 'Stop');
    const pid = await seat.pid();
    expect(hooks.events().map(event => event.name)).toEqual(['SessionStart', 'UserPromptSubmit', 'Stop']);
    expect(stop.payload).toMatchObject({ last_assistant_message: 'hello', cwd: opened.dir() });
    expect(stop).toMatchObject({ ppid: pid, tmuxPane: seat.pane });
    expect(stop.claudePid).toBe(version === '2.1.197' ? undefined : pid);
    await seat.type('/exit');
    await hooks.saw(event => event.name === 'SessionEnd');
  });

  test('leaves no process and no folder behind', async () => {
    const opened = await openWorld({ version });
    onTestFinished(opened.close);
    await Promise.all(
      [opened.claude(), opened.claude({ inShell: true })].map(async seat => (await seat).ready()),
    );
    expect((await opened.processes()).length).toBeGreaterThanOrEqual(4);
    await Promise.all([opened.close(), opened.close()]);
    expect(await opened.processes()).toEqual([]);
    expect(existsSync(opened.root)).toBe(false);
  });
});

test('a world inherits nothing from its caller', async () => {
  process.env.CLAUDE_STRAY = process.env.ANTHROPIC_STRAY = process.env.TMUX_STRAY = 'leaked';
  const opened = await world({ version: newest });
  const { stdout } = await opened.run('env', []);
  expect(stdout).not.toContain('STRAY');
  expect(stdout).toContain(`HOME=${opened.home}\n`);
  expect(opened.socket.length).toBeLessThan(100);
});

test('2.1.325 asks an existing user about fullscreen once, unless it is answered in advance', async () => {
  const { claude } = await world({ version: '2.1.325', renderer: 'ask' });
  const first = await claude();
  await first.asks('Try the new fullscreen renderer?');
  expect(await first.file(({ status }) => status === 'waiting')).toMatchObject({ waitingFor: 'dialog open' });
  await first.press('Escape');
  await first.ready();
  const second = await claude();
  await second.ready();
});

describe.each(autoVersions)('Auto mode of Claude Code %s', version => {
  test('runs what the server allows, and denies what it flags', async () => {
    const { claude, dir } = await world({ version });
    const seat = await claude({ permissionMode: null, prompt: 'RUN touch ../allowed' });
    await seat.sees('● done');
    expect(await seat.screen()).toContain('auto mode on');
    await seat.type('FLAGGED It smells THEN TIMES 2 touch ../made');
    await seat.sees(/touch ..\/made-2[\s\S]*It smells[\s\S]*● done/);
    expect(['allowed', 'made-1', 'made-2'].map(file => existsSync(join(dir(), '..', file)))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('gives each of several calls its own verdict, and the rest that of the model', async () => {
    const opened = await world({ version });
    opened.model.verdict = { flagged: 'By default' };
    const seat = await opened.claude({ permissionMode: null });
    await seat.ready();
    await seat.type('TOGETHER CLEARED RUN touch ../a ;; RUN touch ../b ;; RUN echo c');
    await seat.sees(/By default[\s\S]*● done/);
    expect(['a', 'b'].map(file => existsSync(join(opened.dir(), '..', file)))).toEqual([true, false]);
  });

  test('says that it cannot check where the server gives no verdict', async () => {
    const { claude } = await world({ version });
    const seat = await claude({ permissionMode: null, prompt: 'UNCHECKED RUN touch ../made' });
    await seat.asks("Auto mode can't check actions");
  });
});
