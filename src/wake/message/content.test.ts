import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Hook } from '../../contract/hook.ts';
import type { Pane } from '../../contract/session.ts';
import type { Trigger } from '../../contract/wake.ts';
import { textDetail, toolDetail } from '../../session/request/detail.ts';
import { emptyMemory, type Folded, type TurnEnd, noNames } from '../../session/memory.ts';
import { aSession } from '../../testing/session.ts';
import { openTestPane } from '../../testing/pane.ts';
import { aWake } from '../../testing/wake.ts';
import { collectFacts } from './content.ts';
import { lastLines, newLines } from './pane-diff.ts';
import { defaultSettings } from '../registry/settings.ts';

const at = (ms: number) => new Date(ms).toISOString();
const says = (ms: number, text: string, more: object = {}) => ({
  type: 'assistant',
  timestamp: at(ms),
  message: {
    id: `m${ms}`,
    role: 'assistant',
    content: [{ type: 'text', text }],
    usage: { input_tokens: 90_000 },
    model: 'claude-sonnet-4-5',
  },
  ...more,
});
const prompt = (ms: number, text: string) => ({
  type: 'user',
  timestamp: at(ms),
  message: { role: 'user', content: text },
});

/** Facts of a session whose last turn began at 1000 and whose end (if any) carried `payload`. */
const factsOf = async (transcript: string | null, payload: Hook | null, ending: Partial<TurnEnd> = {}) => {
  const dir = mkdtempSync(join(tmpdir(), 'du-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 't.jsonl');
  if (transcript !== null) writeFileSync(file, transcript);
  const session: Folded = {
    ...aSession({ state: 'waiting', reason: 'stopped', transcript: file }),
    names: noNames,
    memory: { ...emptyMemory(0), prompted: 1_000 },
  };
  const evidence = { source: 'hook' as const, name: 'Stop', seq: 5, at: 2_000 };
  if (payload)
    session.memory.end = {
      kind: 'stopped',
      detail: null,
      outcome: null,
      failure: null,
      limit: null,
      tasks: [],
      evidence,
      ...ending,
    };
  return collectFacts(aWake({ key: '1000' }), session, defaultSettings, {
    payloadAt: () => payload,
    exchangeCapture: () => null,
  });
};

const lines = (...values: object[]) => values.map(value => `${JSON.stringify(value)}\n`).join('');
const whole = lines(
  prompt(0, 'before'),
  says(500, 'an older turn'),
  prompt(1_000, 'now'),
  says(1_100, 'first block'),
  says(1_150, 'of a subagent', { isSidechain: true }),
  says(1_200, 'second block'),
);

test.each<[string, string | null, Hook | null, string, string]>([
  [
    'the last message of the Stop hook wins',
    whole,
    { last_assistant_message: 'all done' },
    'last_assistant_message',
    'all done',
  ],
  ['all of the last turn, without sidechains', whole, {}, 'transcript', 'first block\n\nsecond block'],
  [
    'an empty last message is ignored',
    whole,
    { last_assistant_message: ' \n' },
    'transcript',
    'first block\n\nsecond block',
  ],
  ['no Stop hook arrived', whole, null, 'transcript', 'first block\n\nsecond block'],
  ['a transcript that ends in the middle of a line', whole.slice(0, -30), {}, 'transcript', 'first block'],
  ['a line that is not JSON', `${whole}{"type":\n`, {}, 'transcript', 'first block\n\nsecond block'],
  [
    'a huge line before the turn',
    lines(says(10, 'x'.repeat(3_000_000))) + whole,
    {},
    'transcript',
    'first block\n\nsecond block',
  ],
  [
    'a last line larger than the part that is read',
    whole + lines(says(1_300, 'y'.repeat(3_000_000))),
    {},
    'none',
    'Nothing was said, and the pane shows nothing.',
  ],
  [
    'only an older turn has been written',
    lines(prompt(0, 'a'), says(500, 'an older turn')),
    {},
    'none',
    'Nothing was said, and the pane shows nothing.',
  ],
  ['no transcript', null, {}, 'none', 'Nothing was said, and the pane shows nothing.'],
])('content: %s', async (_, transcript, payload, source, text) => {
  expect((await factsOf(transcript, payload)).content).toEqual({ source, text });
});

test('the context use comes from the newest answer', async () => {
  expect(await factsOf(whole, {})).toMatchObject({
    context: { tokens: 90_000, window: 200_000, percent: 45 },
    isCurrentUse: true,
  });
  expect((await factsOf(lines(prompt(0, 'a'), says(500, 'an older turn')), {})).isCurrentUse).toBe(false);
  expect((await factsOf(null, {})).context).toBe(null);
});

test.each<[string[], string[], string[]]>([
  [[], ['a', 'b'], ['a', 'b']],
  [['a', 'b'], ['a', 'b'], []],
  [
    ['a', 'b', 'c'],
    ['b', 'c', 'd', 'e'],
    ['d', 'e'],
  ],
  [['a', 'x', 'c'], ['a', 'y', 'c'], ['y']],
  [['a', 'a'], ['a', 'a', 'a'], ['a']],
])('new lines of %j and %j', (before, now, added) => {
  expect(newLines(before, now)).toEqual(added);
});

test('the last lines leave out empty lines at the end', () => {
  expect(lastLines('a\nb  \nc\n\n \n', 2)).toEqual(['b', 'c']);
});

test('pane_capture_lines is obeyed up to 1,000; idle_prompt and pre_compact carry the pane beside what was said', async () => {
  const { socket, pane: paneId } = await openTestPane(
    () => "tmux set-option -g history-limit 5000; seq -f 'row %.0f' 1 1500; echo ready; exec sleep 1000\n",
    'ready',
  );
  const pane = { ...(aSession().pane as Pane), id: paneId, socket, serverPid: null, pid: null };
  const session: Folded = {
    ...aSession({ state: 'waiting', pane }),
    names: noNames,
    memory: { ...emptyMemory(0), prompted: 1_000 },
  };
  const facts = (trigger: Trigger, pane_capture_lines: number, payload: Hook | null) => {
    const evidence = { source: 'hook' as const, name: 'Stop', seq: 5, at: 2_000 };
    session.memory.end = payload && {
      kind: 'stopped',
      detail: null,
      outcome: null,
      failure: null,
      limit: null,
      tasks: [],
      evidence,
    };
    const sources = { payloadAt: () => payload, exchangeCapture: () => null };
    const wake = aWake({ trigger, key: '1000' });
    return collectFacts(wake, session, { ...defaultSettings, pane_capture_lines }, sources);
  };
  const payload = { last_assistant_message: 'all done' };
  const end = (lines: number) =>
    [...Array.from({ length: lines - 1 }, (_, n) => `row ${1502 - lines + n}`), 'ready'].join('\n');
  expect((await facts('response_complete', 60, null)).content).toEqual({
    source: 'raw_pane_tail',
    text: end(60),
  });
  expect((await facts('response_complete', 5_000, null)).content?.text).toBe(end(1_000));
  expect(await facts('response_complete', 60, payload)).toMatchObject({ pane: null });
  for (const trigger of ['idle_prompt', 'pre_compact'] as const)
    expect(await facts(trigger, 1_000, payload)).toMatchObject({
      content: { text: 'all done' },
      pane: end(1_000),
    });
});

test('an error that the transcript reports before the hook does', async () => {
  const ending = { kind: 'failed' as const, detail: textDetail('API Error: 529 overloaded') };
  const { content } = await factsOf(lines(prompt(1_000, 'now')), { message: 'as the line has it' }, ending);
  expect(content).toEqual({ source: 'transcript', text: 'API Error: 529 overloaded' });
});

test('a plan or a request is complete, even where other views shorten it', async () => {
  const plan = `BEGIN ${'step '.repeat(3_000)}END`;
  const contentOf = async (hook: Hook, trigger: 'plan' | 'permission_prompt') => {
    const evidence = { source: 'hook' as const, name: 'PermissionRequest', seq: 5, at: 2_000 };
    const ask = {
      kind: 'plan' as const,
      tool: null,
      agent: null,
      print: '',
      isAnswered: false,
      isDenied: false,
      deadline: null,
      detail: toolDetail(hook),
      evidence,
    };
    const session: Folded = { ...aSession(), names: noNames, memory: { ...emptyMemory(0), requests: [ask] } };
    const sources = { payloadAt: (seq: number) => (seq === 5 ? hook : null), exchangeCapture: () => null };
    return (await collectFacts(aWake({ trigger, seq: 5 }), session, defaultSettings, sources)).content;
  };
  const tool = (name: string, tool_input: object): Hook => ({ tool_name: name, tool_input });
  expect(await contentOf(tool('ExitPlanMode', { plan }), 'plan')).toEqual({
    source: 'tool_input',
    text: plan,
  });
  const request = await contentOf(tool('Bash', { command: plan }), 'permission_prompt');
  expect(request?.text).toMatch(/^Bash: BEGIN [^\n]*…\n\{"command":"BEGIN .*END"\}$/);
});
