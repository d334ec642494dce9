/** An agent is woken by what its sessions do and ask: once each, with what it needs to act. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Wake } from '../../src/contract/wake.ts';
import { elicitationArgs } from '../rig/elicit.ts';
import { type FakeAgent, fakeAgent } from '../rig/agent.ts';
import { edges } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { world } from '../rig/story.ts';
import type { Seat } from '../rig/tmux.ts';
import { until } from '../rig/within.ts';
import { witness } from '../rig/witness.ts';
import type { World } from '../rig/world.ts';

const write = ({ droverHome }: World, config: object) =>
  writeFile(join(droverHome, 'config.json'), JSON.stringify(config, null, 2));

const typeOf = (message: string): string => /^type: (\w+)$/m.exec(message)?.[1] ?? '';

/** A message without what differs between runs. */
const golden = (message: string, { root }: World): string =>
  message
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(root, 'ROOT')
    .replaceAll(/^timestamp: .*$/gm, 'timestamp: TIME')
    .replaceAll(/^pane: %\d+$/gm, 'pane: PANE')
    .replaceAll(/^request: \d+$/gm, 'request: NUMBER')
    .replaceAll(/ --id \d+/g, ' --id NUMBER')
    // how far the session has continued by then is a matter of milliseconds,
    .replaceAll(/(?<=^type: ask_user_question_answered\n[\s\S]*^state: )idle$/gm, 'working')
    // and so is whether hook or transcript reports an error first: they have the same text,
    .replaceAll(/(?<=^type: failed\n\n\[CONTENT\]\nsource: )transcript$/gm, 'last_assistant_message')
    // what the pane shows beside the prompt line is the CLI's own affair,
    .replaceAll(/(?<=^\[PANE CONTENT\]\n)[\s\S]*?(?=\n\n\[STATE HINT\]$)/gm, pane =>
      /^❯| ❯ 1\. Yes/m.test(pane) ? 'PANE' : 'NO PROMPT LINE',
    )
    // 2.1.197 alone gives a session a title, at some moment of its first turn,
    .replaceAll(/^title: .*\n/gm, '')
    // and whether this turn's tokens are counted already.
    .replaceAll(/(?<=^\[CONTEXT PRESSURE\]\n)(?:.+\n)+/gm, 'PRESSURE\n');

const isGolden = (opened: World, message: string) =>
  expect(golden(message, opened)).toMatchFileSnapshot(`golden/${typeOf(message)}.txt`);

/** The wakes that an agent got so far, one by one: two at the same time are one message. */
const messagesFor = (agent: FakeAgent) => async (id: string) =>
  (await agent.calls())
    .filter(({ argv }) => argv[2] === id)
    .flatMap(({ message }) =>
      message.split(/^(?=\[SESSION IDENTITY\]$)/m).map(text => `${text.trimEnd()}\n`),
    );

/** What a person does, or an agent with an action of the last wake, and the wakes that follow, in order. */
interface Step {
  does: (seat: Seat, pastes: (action: string) => Promise<void>) => Promise<void>;
  wakes: string[];
}

const steps: Step[] = [
  { does: () => Promise.resolve(), wakes: ['response_complete'] },
  { does: seat => seat.type('RUN touch made'), wakes: ['permission_prompt'] },
  { does: (_, pastes) => pastes('choose 1'), wakes: ['response_complete'] },
  { does: seat => seat.type('ASK'), wakes: ['ask_user_question'] },
  {
    does: (_, pastes) => pastes("ask 'Small'"),
    wakes: ['ask_user_question_answered', 'response_complete'],
  },
  { does: (_, pastes) => pastes('drover send'), wakes: ['response_complete'] },
  { does: seat => seat.type('TOKENS 750000 SAY nearly full'), wakes: ['response_complete'] },
  { does: seat => seat.type('FAIL'), wakes: ['failed'] },
  { does: seat => seat.type('NOTE I need another one THEN RUN touch other'), wakes: ['permission_prompt'] },
  { does: (_, pastes) => pastes('esc'), wakes: ['interrupted'] },
  { does: seat => seat.type('/exit'), wakes: ['session_end'] },
];

/** Runs an action of a message as printed. */
const paste = async ({ run }: World, message: string, action: string) => {
  const [, actions = ''] = message.split('[AVAILABLE ACTIONS]\n');
  const line = actions.split('\n').find(one => !one.startsWith('#') && one.includes(action));
  const drover = `drover() { '${process.execPath}' '${MAIN}' "$@"; }`;
  const { code, stderr } = await run('sh', ['-c', `${drover}\n${line ?? 'exit 99'}`]);
  expect([action, code, stderr]).toEqual([action, 0, '']);
};

describe.each(edges)('Claude Code %s', version => {
  test('every trigger wakes the agent of the tmux session once, with its message', async () => {
    const opened = await world({ version });
    const { claude, drover, daemon } = opened;
    const agent = await fakeAgent(opened);
    await write(opened, {
      agents: [
        { agent_id: 'warden', tmux_session_name: 'warden-main', openclaw_session_id: 'oc-1' },
        { agent_id: 'planner', tmux_session_name: 'planner', openclaw_session_id: 'oc-2' },
        { agent_id: 'asked', tmux_session_name: 'asked', openclaw_session_id: 'oc-4' },
        { agent_id: 'nobody', tmux_session_name: 'warden-mai', openclaw_session_id: 'oc-3' },
      ],
    });
    await drover('setup');
    await daemon();
    const of = messagesFor(agent);
    const first = (id: string) =>
      until(
        15_000,
        () => `${id} was not woken`,
        async () => (await of(id))[0],
      );
    const seat = await claude({ name: 'warden-main', prompt: 'SAY hello there' });
    const asked = await claude({ name: 'asked', args: elicitationArgs('elicit', true) });
    await claude({ name: 'planner', prompt: 'PLAN build it', permissionMode: 'plan' });
    let wanted: string[] = [];
    for (const { does, wakes } of steps) {
      await does(seat, async action => paste(opened, (await of('oc-1')).at(-1) ?? '', action));
      wanted = [...wanted, ...wakes];
      const count = wanted.length;
      await until(
        15_000,
        () => `no wake ${String(wakes)}`,
        async () => (await of('oc-1')).length >= count || undefined,
      );
    }
    const messages = await of('oc-1');
    expect(messages.map(typeOf)).toEqual(wanted);
    for (const type of new Set(wanted))
      await isGolden(opened, messages.find(one => typeOf(one) === type) as string);
    // The first wake has the count of its own turn.
    const [completed] = messages.filter(message => typeOf(message) === 'response_complete');
    expect(completed).toMatch(/\[CONTEXT PRESSURE\]\nlevel: OK\n/);
    const failed = messages.find(message => typeOf(message) === 'failed');
    expect(failed).toMatch(/\[CONTEXT PRESSURE\]\nlevel: WARNING\npercent: 75\ntokens: 75\d+ of 1000000\n/);
    const plan = await first('oc-2');
    await isGolden(opened, plan);
    await paste(opened, plan, 'choose 1');
    // By now the server is up: a prompt at the very start would not find its tool.
    await asked.ready();
    await asked.type('MCP elicit ask');
    const dialog = await first('oc-4');
    await isGolden(opened, dialog);
    await asked.sees('requests your input');
    await paste(opened, dialog, 'esc');
    expect(await of('oc-3')).toEqual([]);

    const undelivered = async () =>
      (await drover('wake', 'log', '--json')).stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as Wake)
        .filter(({ status }) => status !== 'delivered');
    await until(
      10_000,
      () => 'not all were delivered',
      async () => (await undelivered()).length === 0 || undefined,
    );
    expect((await drover('events', '--after', '0')).stdout).toContain('Wake');
  });

  test('a session that idles, compacts, or waits until the CLI notifies, wakes its agent once each', async () => {
    const opened = await world({ version, idleNotice: 1_500 });
    const { claude, drover, daemon } = opened;
    const agent = await fakeAgent(opened);
    await write(opened, {
      agents: [
        { agent_id: 'warden', tmux_session_name: 'warden-main', openclaw_session_id: 'oc-1' },
        { agent_id: 'other', tmux_session_name: 'asks', openclaw_session_id: 'oc-2' },
      ],
    });
    const hooks = await witness(opened, ['Notification', 'PreCompact', 'SessionStart']);
    await drover('setup');
    await daemon();
    const of = messagesFor(agent);
    const asks = await claude({ name: 'asks', prompt: 'RUN touch made' });
    const seat = await claude({ name: 'warden-main', prompt: 'TIMES 2 echo step' });
    const idle = await agent.woken(message => typeOf(message) === 'idle_prompt', 30_000);
    await isGolden(opened, idle.message);
    await seat.type('/compact');
    const compacts = await agent.woken(message => typeOf(message) === 'pre_compact');
    await isGolden(opened, compacts.message);
    await hooks.saw(({ payload }) => payload.source === 'compact');
    expect((await of('oc-1')).map(typeOf)).toEqual(['response_complete', 'idle_prompt', 'pre_compact']);

    // A dialog that is open for 6 s fires a notification too: that is the request which the agent already knows.
    const { sessionId } = await asks.file(file => file.status === 'waiting');
    await until(
      15_000,
      () => 'the daemon has heard of no notification',
      async () =>
        (await drover('events', sessionId, '--after', '0')).stdout.includes('Notification') || undefined,
    );
    expect((await of('oc-2')).map(typeOf)).toEqual(['permission_prompt']);
  });

  test('after /clear a session has no turn that ended: it stays ready, and wakes its agent when it idles', async () => {
    const opened = await world({ version, idleNotice: 1_500 });
    const { claude, drover, daemon } = opened;
    const agent = await fakeAgent(opened);
    const entry = { agent_id: 'warden', tmux_session_name: 'warden-main', openclaw_session_id: 'oc-1' };
    await write(opened, { agents: [{ ...entry, hook_settings: { triggers: { session_end: false } } }] });
    const hooks = await witness(opened, ['Notification', 'SessionStart']);
    await drover('setup');
    await daemon();
    const seat = await claude({ name: 'warden-main', prompt: 'SAY an answer' });
    await agent.woken(message => typeOf(message) === 'response_complete');
    await seat.ready();
    await seat.type('/clear');
    const { payload } = await hooks.saw(hook => hook.payload.source === 'clear');
    const id = String(payload.session_id);
    const woken = await agent.woken(message => message.includes(`session: ${id}`), 30_000);
    expect(typeOf(woken.message)).toBe('idle_prompt');
    expect(woken.message).toContain('state: idle');
    const { stdout } = await drover('ls', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ sessions: [{ id, state: 'ready', reason: null }] });
    expect((await drover('next', '--json')).code).toBe(1);
    // The prompt that follows ends a turn again.
    await seat.type('SAY more');
    await agent.woken(
      message => typeOf(message) === 'response_complete' && message.includes(`session: ${id}`),
    );
  });
});
