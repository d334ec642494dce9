/** Deciding agents: continue after a Stop, allow a permission; and agents that hang, die or answer nonsense. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AuditPage } from '../../src/contract/audit.ts';
import { fakeAgent } from '../rig/agent.ts';
import { edges, type Version } from '../rig/cli.ts';
import { waitersOf } from '../rig/process.ts';
import { world } from '../rig/story.ts';
import type { Seat, SeatOptions } from '../rig/tmux.ts';
import { webhook } from '../rig/webhook.ts';
import { until } from '../rig/within.ts';
import { witness } from '../rig/witness.ts';

interface Told {
  trigger: string;
  outcome: string;
  mode?: string;
  decision?: string | null;
  reason: string | null;
}

describe.each(edges)('Claude Code %s', version => {
  test('a block continues the turn once; a person who types or presses Esc wins', async () => {
    const { story, seat, agent, behaves, told, hooks } = await watched(version);
    behaves(`echo '{"decision": "block", "reason": "say why"}'`);
    await seat.type('SAY first');
    await hooks.saw(({ name, payload }) => name === 'Stop' && payload.stop_hook_active === true);
    await seat.file(file => file.status === 'idle');
    await story.model.asked(({ body }) => JSON.stringify(body.messages).includes('say why'));
    // The second Stop is sent like any other wake, and cannot be blocked: that would be a loop.
    expect(await told(2)).toMatchObject([
      { trigger: 'response_complete', outcome: 'delivered', mode: 'bidirectional', decision: 'block' },
      { trigger: 'response_complete', outcome: 'delivered', reason: null },
    ]);
    await agent.woken(message => message.includes('continuation: true'));
    expect(hooks.events().filter(({ name }) => name === 'Stop')).toHaveLength(2);

    behaves('sleep 30');
    await seat.type('SAY second');
    await agent.woken(message => message.includes('second'));
    await waiting(story.root);
    await seat.type('SAY mine');
    await seat.sees('● mine', 10_000);
    await agent.woken(message => message.includes('\nmine\n'));
    await waiting(story.root);
    await seat.press('Escape');
    await seat.file(file => file.status === 'idle');
    await noWaiters(story.root);
  });

  test('an agent that may block twice is woken once for the end that it could not block', async () => {
    const { seat, agent, behaves, told, hooks } = await watched(version, { settings: { max_blocks: 2 } });
    behaves(`echo '{"decision": "block", "reason": "SAY more"}'`);
    await seat.type('SAY first');
    const active = () => hooks.events().filter(({ payload }) => payload.stop_hook_active === true);
    await hooks.saw(() => active().length === 2);
    await seat.file(file => file.status === 'idle');
    const messages = await until(
      10_000,
      () => 'the agent was not notified of the end',
      async () => {
        const calls = await agent.calls();
        return calls.length >= 3 ? calls.map(({ message }) => message) : undefined;
      },
    );
    expect(messages.map(message => message.includes('\ncontinuation: true\n'))).toEqual([false, true, true]);
    expect(await told(3)).toMatchObject([
      { trigger: 'response_complete', decision: 'block' },
      { trigger: 'response_complete', decision: 'block' },
      { trigger: 'response_complete', outcome: 'delivered', reason: null },
    ]);
    await seat.type('SAY next');
    await agent.woken(message => message.includes('\nnext\n'));
    expect((await agent.calls()).filter(({ message }) => !message.includes('\nnext\n'))).toHaveLength(3);
  });

  test('a permission is decided by the agent or in the terminal, whichever is first; a compaction is blocked', async () => {
    const { story, seat, behaves, told, hooks } = await watched(version);
    behaves(`echo 'let me see'; echo '{"decision": "allow"}'`);
    await seat.type('RUN touch made');
    await seat.sees('Allowed by PermissionRequest hook');
    await stopped(seat, story.root);
    expect(existsSync(join(story.dir(), 'made'))).toBe(true);
    behaves(`echo '{"decision": "deny", "reason": "not on a Sunday"}'`);
    await seat.type('RUN touch other');
    await seat.sees('Denied by PermissionRequest hook');
    await story.model.asked(({ body }) => JSON.stringify(body.messages).includes('not on a Sunday'));
    await stopped(seat, story.root);
    expect(existsSync(join(story.dir(), 'other'))).toBe(false);

    behaves(`echo '{"decision": "block", "reason": "not yet"}'`);
    await seat.type('/compact');
    await hooks.saw(({ name }) => name === 'PreCompact');
    await seat.sees(/not yet|blocked/i);
    await stopped(seat, story.root);
    expect(hooks.events().filter(({ name }) => name === 'SessionStart')).toHaveLength(1);

    behaves('sleep 30');
    await seat.type('RUN touch third');
    await seat.asks('Do you want to proceed?');
    await waiting(story.root);
    await seat.press('Enter');
    await until(
      15_000,
      () => 'nothing was made',
      () => existsSync(join(story.dir(), 'third')) || undefined,
    );
    const decided = (await told(5)).filter(({ decision }) => typeof decision === 'string');
    expect(decided).toMatchObject([
      { trigger: 'permission_prompt', decision: 'allow' },
      { trigger: 'permission_prompt', decision: 'deny' },
      { trigger: 'pre_compact', decision: 'block' },
    ]);
    const { entries } = JSON.parse((await story.drover('audit', '--json')).stdout) as AuditPage;
    const caller = { kind: 'agent', name: 'warden' };
    expect(entries).toMatchObject([
      { action: 'answer', caller, result: 'ok', request: { tool: 'Bash' }, text: 'allow' },
      { action: 'answer', caller, result: 'ok', request: { tool: 'Bash' }, text: 'deny: not on a Sunday' },
      { action: 'block', caller, result: 'ok', text: 'not yet' },
    ]);
  });

  test('an agent behind a webhook answers in the response body: a plan is sent back, then approved, and a turn continues', async () => {
    let answers: Record<string, object> = {};
    const hook = await webhook(({ trigger }) => answers[trigger.type] ?? {});
    const seat = { permissionMode: 'plan' };
    const { story, ...session } = await watched(version, { deliver: { webhook: hook.url }, seat });
    answers = { plan: { decision: 'deny', reason: 'shorter, please' } };
    await session.seat.type('PLAN build it');
    await story.model.asked(({ body }) => JSON.stringify(body.messages).includes('shorter, please'));
    await stopped(session.seat, story.root);
    await session.seat.sees('plan mode on');

    answers = {
      plan: { decision: 'allow' },
      response_complete: { decision: 'block', reason: 'say why' },
    };
    await session.seat.type('PLAN build less');
    await story.model.asked(({ body }) => JSON.stringify(body.messages).includes('say why'));
    await stopped(session.seat, story.root);
    await until(
      10_000,
      () => 'plan mode is still on',
      async () => !(await session.seat.screen()).includes('plan mode on') || undefined,
    );
    const decided = (await session.told(5)).filter(({ decision }) => typeof decision === 'string');
    expect(decided).toMatchObject([
      { trigger: 'plan', decision: 'deny', reason: 'shorter, please' },
      { trigger: 'plan', decision: 'allow' },
      { trigger: 'response_complete', decision: 'block' },
    ]);
    expect(hook.wakes.find(({ trigger }) => trigger.type === 'plan')?.content?.text).toContain('build it');
  });

  test('an agent that hangs, dies or answers nonsense blocks nothing, and the log says so', async () => {
    const { story, seat, behaves, told, id } = await watched(version, { settings: { answer_seconds: 2 } });
    behaves('sleep 60');
    await seat.type('SAY one');
    await seat.sees('● one');
    await stopped(seat, story.root);
    behaves(`echo 'I think that it should go on.'`);
    await seat.type('SAY two');
    await seat.sees('● two');
    await stopped(seat, story.root);
    behaves('echo broken >&2; exit 3');
    await seat.type('SAY three');
    await seat.sees('● three');
    await stopped(seat, story.root);
    const [slow, garbage, dead] = (await told(3)).filter(({ mode }) => mode === 'bidirectional');
    expect(slow).toMatchObject({ outcome: 'dead', reason: expect.stringContaining('no answer in time') });
    expect(garbage).toMatchObject({
      outcome: 'delivered',
      decision: null,
      reason: expect.stringContaining('not understood'),
    });
    expect(dead).toMatchObject({
      outcome: 'pending',
      reason: expect.stringContaining('exited with 3: broken'),
    });
    // It is sent later, like any other wake.
    behaves('exit 0');
    await until(
      10_000,
      () => 'the wake was not told again',
      async () => (await told(4)).find(({ outcome, mode }) => outcome === 'delivered' && !mode),
    );
    // The commands of a wake work as printed: a session that an agent watches may be driven.
    expect(await story.drover('menu', id, 'type', 'SAY four')).toMatchObject({ code: 0 });
  });
});

interface Watched {
  settings?: object;
  /** How the agent is reached; default: `openclaw`. */
  deliver?: object;
  seat?: SeatOptions;
}

/** A session in a tmux session that an agent watches, whose answer decides. */
async function watched(version: Version, options: Watched = {}) {
  const story = await world({ version });
  const name = 'watched by one';
  const behaviour = join(story.root, 'behaviour.sh');
  const behaves = (script: string) => writeFileSync(behaviour, `${script}\n`);
  behaves('exit 0');
  const agent = await fakeAgent(story, `. '${behaviour}'`);
  const hooks = await witness(story, ['SessionStart', 'Stop', 'PreCompact']);
  await story.drover('setup');
  const agents = [
    {
      agent_id: 'warden',
      tmux_session_name: name,
      ...(options.deliver ? { deliver: options.deliver } : { openclaw_session_id: 'oc-1' }),
      hook_settings: { hook_mode: 'bidirectional', ...options.settings },
    },
  ];
  writeFileSync(join(story.droverHome, 'config.json'), JSON.stringify({ agents }));
  await story.daemon();
  const seat = await story.claude({ name, ...options.seat });
  await seat.ready();
  const { sessionId: id } = await seat.file(file => file.status === 'idle');
  await until(
    15_000,
    () => 'its hooks do not wait',
    () => existsSync(join(story.droverHome, 'awaited', id)) || undefined,
  );
  /** The record of wakes, once it has this many entries. */
  const told = (least: number) =>
    until(
      10_000,
      () => `fewer than ${least} wakes are in the log`,
      async () => {
        const { stdout } = await story.drover('events', id, '--json', '--last', '1000');
        const wakes = stdout
          .split('\n')
          .filter(Boolean)
          .map(line => JSON.parse(line) as { name: string; payload: Told })
          .filter(event => event.name === 'Wake');
        return wakes.length >= least ? wakes.map(({ payload }) => payload) : undefined;
      },
    );
  return { story, seat, agent, behaves, told, hooks, id };
}

/** Awaits that a hook waits for an answer. */
async function waiting(root: string): Promise<void> {
  await until(
    15_000,
    () => 'no hook waits',
    async () => (await waitersOf(root)).length > 0 || undefined,
  );
}

async function noWaiters(root: string): Promise<void> {
  await until(
    15_000,
    () => 'a waiter is left',
    async () => (await waitersOf(root)).length === 0 || undefined,
  );
}

/** The turn is over, and no hook waits any more. */
async function stopped(seat: Seat, root: string): Promise<void> {
  await seat.file(file => file.status === 'idle', 10_000);
  await noWaiters(root);
}
