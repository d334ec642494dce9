/** The path of an event with the real CLI: a hook fires, the event is recorded, a subscriber gets it. */
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import { edges } from '../rig/cli.ts';
import { type Frame, subscribe, type Subscription } from '../rig/sse.ts';
import { world } from '../rig/story.ts';
import type { WorldOptions } from '../rig/world.ts';
import { witness } from '../rig/witness.ts';

const payload = ({ data }: Frame) => JSON.parse(data) as Record<string, unknown>;
const isHook = (name: string) => (frame: Frame) =>
  frame.event === 'hook' && payload(frame).hook_event_name === name;
const names = ({ frames }: Subscription) =>
  frames.filter(frame => frame.event === 'hook').map(frame => String(payload(frame).hook_event_name));

/** The frames of a session's stream without states, whose number varies. */
const said = ({ frames }: Subscription) =>
  frames.map(({ event }) => event).filter(event => event !== 'state');

/** A world where Drover is set up beside a user's own hook, with a subscriber on everything. */
const watched = async (options: WorldOptions) => {
  const opened = await world(options);
  const own = await witness(opened);
  expect((await opened.drover('setup')).code).toBe(0);
  const daemon = await opened.daemon();
  const all = await subscribe(daemon.url, daemon.token);
  await all.next(frame => frame.event === 'state');
  return { ...opened, own, daemon, all };
};

describe.each(edges)('Claude Code %s', version => {
  test('a whole turn arrives verbatim and in order, while the user’s own hooks still fire', async () => {
    const { claude, all, own } = await watched({ version });
    const seat = await claude();
    await seat.ready();
    await seat.type('RUN echo "zwei Wörter"');
    await all.next(isHook('Stop'), 20_000);
    await seat.ready();
    expect(names(all).filter(name => !['InstructionsLoaded', 'Notification'].includes(name))).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'PostToolBatch',
      'Stop',
    ]);
    const heard = all.frames.filter(({ event }) => event === 'hook').map(({ data }) => data);
    await own.saw(event => event.name === 'Stop');
    const told = own.events();
    expect(told.map(event => event.name)).toEqual(
      expect.arrayContaining(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop']),
    );
    for (const event of told) expect(heard).toContain(event.raw.replace(/\n$/, ''));
    const ids = all.frames.flatMap(({ id }) => (id ? [Number(id)] : []));
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  test('a permission is listed while its dialog is open, and its state follows', async () => {
    const { claude, all, drover } = await watched({ version });
    const seat = await claude({ prompt: 'RUN touch made' });
    const asked = payload(await all.next(isHook('PermissionRequest')));
    expect(asked).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'touch made' } });
    const state = await all.next(
      frame => frame.event === 'state' && frame.data.includes('"reason":"permission"'),
    );
    expect(JSON.parse(state.data)).toMatchObject({
      sessions: [{ id: asked.session_id, state: 'waiting', reason: 'permission', pane: { id: seat.pane } }],
    });
    await seat.asks('Do you want to proceed?');
    await seat.press('Enter');
    await all.next(isHook('PostToolUse'));
    await all.next(isHook('Stop'));
    const log = await drover('events', shortId(String(asked.session_id)), '--after', '0', '--json');
    expect(log.code).toBe(0);
    expect(
      log.stdout
        .trim()
        .split('\n')
        .map(line => (JSON.parse(line) as { name: string }).name),
    ).toEqual(expect.arrayContaining(['SessionStart', 'PermissionRequest', 'Stop']));
  });

  test('a subagent’s events carry its id and do not end the turn', async () => {
    const { claude, all } = await watched({ version });
    await claude({ prompt: 'AGENT SAY from within' });
    const start = payload(await all.next(isHook('SubagentStart')));
    await all.next(isHook('Stop'), 20_000);
    const stops = all.frames.filter(isHook('SubagentStop'));
    for (const stop of stops) expect(payload(stop).agent_id).toBe(start.agent_id);
    expect(
      new Set(all.frames.filter(({ event }) => event === 'hook').map(frame => payload(frame).session_id))
        .size,
    ).toBe(1);
  });

  test('/clear ends the old session’s stream with the id that follows', async () => {
    const { claude, all, daemon } = await watched({ version });
    const seat = await claude({ prompt: 'SAY one' });
    const { session_id: old } = payload(await all.next(isHook('Stop')));
    const stream = await subscribe(daemon.url, daemon.token, { path: `/sessions/${String(old)}/events` });
    await stream.next(frame => frame.event === 'state');
    await seat.ready();
    await seat.type('/clear');
    const end = await stream.next(frame => frame.event === 'end', 10_000);
    const begun = payload(
      await all.next(frame => isHook('SessionStart')(frame) && payload(frame).source === 'clear'),
    );
    expect(begun.session_id).not.toBe(old);
    expect(JSON.parse(end.data)).toEqual({ sessionId: old, reason: 'clear', next: begun.session_id });
    expect(said(stream)).toEqual(['hook', 'end']);
  });

  test('a killed session gets an end too', async () => {
    const { claude, all, daemon } = await watched({ version });
    const seat = await claude({ prompt: 'SLEEP 60000 SAY never' });
    const { session_id: id } = payload(await all.next(isHook('UserPromptSubmit')));
    const stream = await subscribe(daemon.url, daemon.token, { path: `/sessions/${String(id)}/events` });
    await stream.next(frame => frame.event === 'state');
    process.kill(await seat.pid(), 'SIGKILL');
    const end = await stream.next(frame => frame.event === 'end', 5_000);
    expect(JSON.parse(end.data)).toMatchObject({ sessionId: id, reason: 'killed' });
    await stream.ended;
  });

  test('/exit reaches the reader before the stream ends', async () => {
    const { claude, all, daemon } = await watched({ version });
    const seat = await claude({ prompt: 'SAY one' });
    const { session_id: id } = payload(await all.next(isHook('Stop')));
    const stream = await subscribe(daemon.url, daemon.token, { path: `/sessions/${String(id)}/events` });
    await stream.next(frame => frame.event === 'state');
    await seat.ready();
    await seat.type('/exit');
    await stream.ended;
    expect(said(stream)).toEqual(['hook', 'end']);
    expect(payload(stream.frames.find(isHook('SessionEnd')) as Frame)).toMatchObject({
      hook_event_name: 'SessionEnd',
      reason: 'prompt_input_exit',
    });
  });

  test('with the daemon down, nothing shows on screen and nothing is lost', async () => {
    const { claude, drover, daemon, home } = await world({ version }).then(async opened => {
      expect((await opened.drover('setup')).code).toBe(0);
      expect((await opened.drover('down')).code).toBe(0);
      return opened;
    });
    const seat = await claude();
    await seat.ready();
    await seat.type('RUN echo hi');
    await seat.sees('● done');
    await seat.file(({ status }) => status === 'idle');
    await seat.ready();
    expect(await seat.screen()).not.toMatch(/hook|error|drover/i);
    expect((await drover('status')).code).toBe(3);
    const up = await daemon();
    const stream = await subscribe(up.url, up.token, { after: 0 });
    await stream.next(isHook('Stop'));
    expect(names(stream)).toEqual(
      expect.arrayContaining(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop']),
    );
    expect(home).toBeTruthy();
  });

  test('-p is recorded too, from start to end', async () => {
    const { headless, all } = await watched({ version });
    expect((await headless({ prompt: 'SAY quick' })).stdout.trim()).toBe('quick');
    await all.next(isHook('SessionEnd'));
    expect(names(all).filter(name => name !== 'InstructionsLoaded')).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'Stop',
      'SessionEnd',
    ]);
    const last = all.frames.filter(frame => frame.event === 'state').at(-1);
    expect(JSON.parse(last?.data ?? '')).toMatchObject({ sessions: [{ headless: true }] });
  });
});
