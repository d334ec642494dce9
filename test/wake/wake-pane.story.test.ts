/** What an agent gets when there is no text: the pane; and how it reads content that is too long. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FakeAgent, fakeAgent } from '../rig/agent.ts';
import { newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { hookPane, hooksOf, sessionId } from '../rig/hook.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

/** A pane that agents watch, by `openclaw` sessions of these names, and hooks fired in it. */
const opened = async (...agents: string[]) => {
  const story = await world({ version: newest });
  const agent = await fakeAgent(story);
  const entry = (name: string) => ({
    agent_id: name,
    tmux_session_name: 'watched',
    openclaw_session_id: name,
    hook_settings: { pane_capture_lines: 40 },
  });
  await writeFile(join(story.droverHome, 'config.json'), JSON.stringify({ agents: agents.map(entry) }));
  const hooks = await hooksOf(story);
  await story.daemon();
  const pane = await hookPane(story, 'watched');
  const id = sessionId(1);
  const fire = (name: string, fields: object = {}) =>
    hooks.fire({ session_id: id, hook_event_name: name, cwd: story.dir(), ...fields }, { env: pane.env });
  return { story, agent, pane, fire, id };
};

/** The content of the wakes that an agent got so far: its source, and its lines. */
const contents = async (agent: FakeAgent, of: string) =>
  (await agent.calls())
    .filter(({ argv }) => argv[2] === of)
    .flatMap(({ message }) => [...message.matchAll(/^\[CONTENT\]\nsource: (.*)\n([\s\S]*?)\n\n\[/gm)])
    .map(([, source = '', text = '']) => ({ source, lines: text.split('\n') }));

test('a turn without text is described by its pane: the last lines, then only new ones; an end forgets them', async () => {
  const { agent, pane, fire } = await opened('one', 'two');
  /** The nth wakes of both agents. */
  const turn = async (nth: number) => {
    await fire('UserPromptSubmit', { prompt: 'x' });
    await fire('Stop');
    const told = () => Promise.all(['one', 'two'].map(of => contents(agent, of)));
    await until(
      15_000,
      () => `turn ${nth} was not told`,
      async () => (await told()).every(list => list.length >= nth) || undefined,
    );
    const both = await told();
    expect(both.map(list => list.length)).toEqual([nth, nth]);
    return both.flatMap(list => list.slice(-1)).sort((a, b) => a.source.localeCompare(b.source));
  };
  const old = Array.from({ length: 60 }, (_, n) => `line ${n}.`);
  await pane.shows(...old);
  const tail = { source: 'raw_pane_tail', lines: old.slice(-40) };
  await fire('SessionStart', { source: 'startup' });
  expect(await turn(1)).toEqual([tail, tail]);

  // Both agents ask for the same pane in the same moment: one of them gets the new lines, and neither gets nothing.
  await pane.shows('new one.', 'new two.');
  const lines = ['new one.', 'new two.'];
  const longer = { source: 'raw_pane_tail', lines: [...old.slice(-38), ...lines] };
  expect(await turn(2)).toEqual([{ source: 'pane_diff', lines }, longer]);

  await fire('SessionEnd', { reason: 'other' });
  await agent.woken(message => message.includes('type: session_end'));
  await fire('SessionStart', { source: 'resume' });
  expect(await turn(3)).toEqual([longer, longer]);
});

test('long questions are cut before the actions, and the printed command shows them in full', async () => {
  const { story, agent, fire } = await opened('one');
  await fire('SessionStart', { source: 'startup' });
  await fire('UserPromptSubmit', { prompt: 'x' });
  const questions = [1, 2, 3, 4].map(n => ({
    question: `Question ${n}?`,
    header: `H${n}`,
    multiSelect: false,
    options: ['a', 'b', 'c', 'd'].map(label => ({
      label,
      description: `${'why '.repeat(900)}END ${n}${label}`,
    })),
  }));
  await fire('PermissionRequest', { tool_name: 'AskUserQuestion', tool_input: { questions } });
  const { message } = await agent.woken(text => text.includes('[ASK USER QUESTION]'));
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(32 * 1024);
  expect(message).toMatch(/Question 1\?[\s\S]* ask 'a' 'a' 'a' 'a' --id \d+\n/);
  expect(message).not.toContain('END 1a');
  const way = /all of it: (drover .*?) …\)/.exec(message)?.[1] ?? 'exit 99';
  const drover = `drover() { '${process.execPath}' '${MAIN}' "$@"; }`;
  const { code, stdout } = await story.run('sh', ['-c', `${drover}\n${way}`]);
  expect(code).toBe(0);
  const [first = ''] = stdout.split('\n');
  const { payload } = JSON.parse(first) as { payload: { tool_input: object } };
  expect(payload.tool_input).toEqual({ questions });
});
