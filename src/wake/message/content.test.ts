import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Hook } from '../../contract/hook.ts';
import { textDetail, toolDetail } from '../../session/detail.ts';
import { emptyMemory, type Folded, type TurnEnd } from '../../session/memory.ts';
import { aSession } from '../../testing/session.ts';
import { aWake } from '../../testing/wake.ts';
import { toldOf } from './content.ts';
import { lastLines, newLines } from './pane-diff.ts';
import { builtIn } from '../registry/settings.ts';

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

/** What is told of a session whose last turn began at 1000 and whose end (if any) carried `payload`. */
const told = async (transcript: string | null, payload: Hook | null, ending: Partial<TurnEnd> = {}) => {
  const dir = mkdtempSync(join(tmpdir(), 'du-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 't.jsonl');
  if (transcript !== null) writeFileSync(file, transcript);
  const session: Folded = {
    ...aSession({ state: 'waiting', reason: 'stopped', transcript: file }),
    memory: { ...emptyMemory(0), prompted: 1_000 },
  };
  const evidence = { source: 'hook' as const, name: 'Stop', seq: 5, at: 2_000 };
  if (payload) session.memory.end = { kind: 'stopped', detail: null, tasks: [], evidence, ...ending };
  return toldOf(aWake(), session, builtIn, { payloadAt: () => payload, exchangeCapture: () => null });
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
    'the last message of the Stop goes first',
    whole,
    { last_assistant_message: 'all done' },
    'last_assistant_message',
    'all done',
  ],
  ['the whole last turn, without sidechains', whole, {}, 'transcript', 'first block\n\nsecond block'],
  [
    'an empty last message is none',
    whole,
    { last_assistant_message: ' \n' },
    'transcript',
    'first block\n\nsecond block',
  ],
  ['no Stop was heard', whole, null, 'transcript', 'first block\n\nsecond block'],
  ['a transcript that breaks off in a line', whole.slice(0, -30), {}, 'transcript', 'first block'],
  ['a line that is no JSON', `${whole}{"type":\n`, {}, 'transcript', 'first block\n\nsecond block'],
  [
    'a huge one before it',
    lines(says(10, 'x'.repeat(3_000_000))) + whole,
    {},
    'transcript',
    'first block\n\nsecond block',
  ],
  [
    'a last line larger than what is read',
    whole + lines(says(1_300, 'y'.repeat(3_000_000))),
    {},
    'none',
    'Nothing was said, and the pane shows nothing.',
  ],
  [
    'only an older turn is written yet',
    lines(prompt(0, 'a'), says(500, 'an older turn')),
    {},
    'none',
    'Nothing was said, and the pane shows nothing.',
  ],
  ['no transcript', null, {}, 'none', 'Nothing was said, and the pane shows nothing.'],
])('content: %s', async (_, transcript, payload, source, text) => {
  expect((await told(transcript, payload)).content).toEqual({ source, text });
});

test('pressure is what the newest answer used', async () => {
  expect(await told(whole, {})).toMatchObject({
    context: { tokens: 90_000, window: 200_000, percent: 45 },
    counted: true,
  });
  expect((await told(lines(prompt(0, 'a'), says(500, 'an older turn')), {})).counted).toBe(false);
  expect((await told(null, {})).context).toBe(null);
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

test('the last lines end with text', () => {
  expect(lastLines('a\nb  \nc\n\n \n', 2)).toEqual(['b', 'c']);
});

test('an error of which the transcript told before the hook', async () => {
  const ending = { kind: 'failed' as const, detail: textDetail('API Error: 529 overloaded') };
  const { content } = await told(lines(prompt(1_000, 'now')), { message: 'as the line has it' }, ending);
  expect(content).toEqual({ source: 'transcript', text: 'API Error: 529 overloaded' });
});

test('a plan or a request is told whole, however little of it other views show', async () => {
  const plan = `BEGIN ${'step '.repeat(3_000)}END`;
  const told = async (hook: Hook, trigger: 'plan' | 'permission_prompt') => {
    const evidence = { source: 'hook' as const, name: 'PermissionRequest', seq: 5, at: 2_000 };
    const ask = {
      kind: 'plan' as const,
      tool: null,
      agent: null,
      print: '',
      isAnswered: false,
      isDenied: false,
      detail: toolDetail(hook),
      evidence,
    };
    const session: Folded = { ...aSession(), memory: { ...emptyMemory(0), asks: [ask] } };
    const sources = { payloadAt: (seq: number) => (seq === 5 ? hook : null), exchangeCapture: () => null };
    return (await toldOf(aWake({ trigger, seq: 5 }), session, builtIn, sources)).content;
  };
  const tool = (name: string, tool_input: object): Hook => ({ tool_name: name, tool_input });
  expect(await told(tool('ExitPlanMode', { plan }), 'plan')).toEqual({ source: 'tool_input', text: plan });
  const asked = await told(tool('Bash', { command: plan }), 'permission_prompt');
  expect(asked?.text).toMatch(/^Bash: BEGIN [^\n]*…\n\{"command":"BEGIN .*END"\}$/);
});
