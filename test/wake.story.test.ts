/** Another agent is told what its sessions do and ask: each thing once, with the words it needs to act. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Wake } from '../src/contract/wake.ts';
import { fakeAgent } from './rig/agent.ts';
import { versions } from './rig/cli.ts';
import { world } from './rig/story.ts';
import type { Seat } from './rig/tmux.ts';
import { until } from './rig/within.ts';
import { witness } from './rig/witness.ts';
import type { World } from './rig/world.ts';

const write = ({ droverHome }: World, config: object) =>
  writeFile(join(droverHome, 'config.json'), JSON.stringify(config, null, 2));

const typeOf = (message: string): string => /^type: (\w+)$/m.exec(message)?.[1] ?? '';

/** A message as it would be anywhere: what differs from run to run is named instead. */
const golden = (message: string, { root }: World): string =>
  message
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(root, 'ROOT')
    .replaceAll(/^timestamp: .*$/gm, 'timestamp: TIME')
    .replaceAll(/^pane: %\d+$/gm, 'pane: PANE')
    // Whether this turn's tokens are counted already is a matter of milliseconds.
    .replaceAll(/(?<=^\[CONTEXT PRESSURE\]\n)(?:.+\n)+/gm, 'PRESSURE\n');

const isGolden = (opened: World, message: string) =>
  expect(golden(message, opened)).toMatchFileSnapshot(`wakes/${typeOf(message)}.txt`);

/** What a person does, and the wakes that come of it, in order. */
interface Step {
  does: (seat: Seat) => Promise<void>;
  wakes: string[];
}

const steps: Step[] = [
  { does: () => Promise.resolve(), wakes: ['response_complete'] },
  { does: seat => seat.type('RUN touch made'), wakes: ['permission_prompt'] },
  { does: seat => answer(seat, 'Do you want to proceed?'), wakes: ['response_complete'] },
  { does: seat => seat.type('ASK'), wakes: ['ask_user_question'] },
  {
    does: seat => answer(seat, 'Which size?'),
    wakes: ['ask_user_question_answered', 'response_complete'],
  },
  { does: seat => seat.type('TOKENS 150000 SAY nearly full'), wakes: ['response_complete'] },
  { does: seat => seat.type('FAIL'), wakes: ['failed'] },
  { does: seat => seat.type('NOTE I need another one THEN RUN touch other'), wakes: ['permission_prompt'] },
  {
    does: async seat => {
      await seat.asks('Do you want to proceed?');
      await seat.press('Escape');
    },
    wakes: ['interrupted'],
  },
  { does: seat => seat.type('/exit'), wakes: ['session_end'] },
];

const answer = async (seat: Seat, dialog: string) => {
  await seat.asks(dialog);
  await seat.press('Enter');
};

describe.each(versions)('Claude Code %s', version => {
  test('every trigger wakes the agent of the tmux session once, with its message', async () => {
    const opened = await world({ version });
    const { claude, drover, daemon } = opened;
    const agent = await fakeAgent(opened);
    await write(opened, {
      drive: 'all',
      agents: [
        { agent_id: 'warden', tmux_session_name: 'warden-main', openclaw_session_id: 'oc-1' },
        { agent_id: 'planner', tmux_session_name: 'planner', openclaw_session_id: 'oc-2' },
        { agent_id: 'nobody', tmux_session_name: 'warden-mai', openclaw_session_id: 'oc-3' },
      ],
    });
    await drover('setup');
    await daemon();
    const of = async (id: string) =>
      (await agent.calls()).filter(({ argv }) => argv[2] === id).map(({ message }) => message);
    const args = ['--model', 'claude-sonnet-4-5'];
    const seat = await claude({ name: 'warden-main', prompt: 'SAY hello there', args });
    await claude({ name: 'planner', prompt: 'PLAN build it', permissionMode: 'plan', args });
    let wanted: string[] = [];
    for (const { does, wakes } of steps) {
      await does(seat);
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
    const failed = messages.find(message => typeOf(message) === 'failed');
    expect(failed).toMatch(/\[CONTEXT PRESSURE\]\nlevel: WARNING\npercent: 75\ntokens: 1\d+ of 200000\n/);
    const plan = await until(
      15_000,
      () => 'no plan',
      async () => (await of('oc-2'))[0],
    );
    await isGolden(opened, plan);
    expect(await of('oc-3')).toEqual([]);

    const log = (await drover('wake', 'log', '--json')).stdout.trim().split('\n');
    const rows = log.map(line => JSON.parse(line) as Wake);
    expect(rows.filter(({ status }) => status !== 'delivered')).toEqual([]);
    expect((await drover('events', '--after', '0')).stdout).toContain('Wake');
  });

  test('a session that sits at its prompt, and one that compacts, tell so once', async () => {
    const opened = await world({ version, idleNotice: 1_500 });
    const { claude, drover, daemon } = opened;
    const agent = await fakeAgent(opened);
    await write(opened, {
      agents: [{ agent_id: 'warden', tmux_session_name: 'warden-main', openclaw_session_id: 'oc-1' }],
    });
    const hooks = await witness(opened, ['Notification', 'PreCompact', 'SessionStart']);
    await drover('setup');
    await daemon();
    const seat = await claude({ name: 'warden-main', prompt: 'TIMES 2 echo step' });
    const idle = await agent.woken(message => typeOf(message) === 'idle_prompt');
    await isGolden(opened, idle.message);
    await seat.type('/compact');
    const compacts = await agent.woken(message => typeOf(message) === 'pre_compact');
    await isGolden(opened, compacts.message);
    await hooks.saw(({ payload }) => payload.source === 'compact');
    const types = (await agent.calls()).map(({ message }) => typeOf(message));
    expect(types).toEqual(['response_complete', 'idle_prompt', 'pre_compact']);
  });
});
