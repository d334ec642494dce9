import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Decision } from './decision.ts';
import { holdEvents } from '../../session/request/pending.ts';
import { ownEvent } from '../../session/own-event.ts';
import { hookDraft, openPipeline } from '../../testing/pipeline.ts';
import { type Given, watchEffect } from './hook-effect.ts';

const sessionId = 'aaaaaaaa-0000-4000-8000-000000000001';
const touch = { tool_name: 'Bash', tool_input: { command: 'touch a' } };

/** A request whose hook gets this decision, and the sources that report what follows. */
const given = async (decision: Decision, request: { tool_name: string; tool_input: object } = touch) => {
  const { loop, paths } = await openPipeline();
  const transcript = join(paths.home, 'transcript.jsonl');
  writeFileSync(transcript, '');
  let at = Date.now() - 1_000;
  const report = (name: string, fields: object = {}) =>
    loop.append([{ draft: hookDraft(name, { transcript_path: transcript, ...fields }, {}, (at += 10)) }]);
  const file = (status: string) =>
    loop.append([
      {
        draft: {
          ...hookDraft('FileStatus', {}, {}, (at += 10)),
          source: 'file',
          raw: Buffer.from(JSON.stringify({ pid: 7, status })),
        },
      },
    ]);
  await report('UserPromptSubmit');
  await report('PermissionRequest', request);
  await file('waiting');
  const [asked] = loop.sessionIndex.get(sessionId)?.memory.requests ?? [];
  const id = asked?.evidence.seq ?? -1;
  const about: Given = {
    id,
    sessionId,
    kind: request.tool_name === 'AskUserQuestion' ? 'question' : 'permission',
    tool: request.tool_name,
    input: request.tool_input as Record<string, unknown>,
    suggestions: [],
  };
  const stop = new AbortController();
  const flush = async () => loop.flush();
  const other = watchEffect(loop, { now: Date.now }, flush)(about, decision, stop.signal);
  const fields = { hold: id, by: 'answer', behavior: decision.behavior };
  const release = () =>
    loop.append([{ draft: ownEvent(holdEvents.released, sessionId, Date.now(), fields) }]);
  /** What the CLI writes with the result of a call whose request a hook has decided. */
  const decided = (behavior: string, input: object = request.tool_input) => {
    const call = { type: 'tool_use', id: 't1', name: request.tool_name, input };
    const attachment = { type: 'hook_permission_decision', decision: behavior, toolUseID: 't1' };
    const lines = [
      { type: 'assistant', message: { content: [call] } },
      { type: 'attachment', attachment, timestamp: new Date(Date.now() + 5).toISOString() },
    ];
    writeFileSync(transcript, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  };
  return { other, report, file, release, decided };
};

const deny: Decision = { behavior: 'deny', message: 'no' };
const allow: Decision = { behavior: 'allow' };

test('an allowed request is taken when its tool has a result, or the file has left the dialog', async () => {
  for (const happens of ['result', 'file'] as const) {
    const { other, report, file, release } = await given(allow);
    await release();
    await (happens === 'result' ? report('PostToolUse', touch) : file('busy'));
    expect(await other).toBeNull();
  }
});

test('"No" at the terminal was faster than an answer that allows', async () => {
  const { other, file, release } = await given(allow);
  await release();
  await file('idle');
  expect(await other).toBe('deny');
});

test('a tool that ran was allowed at the terminal before the answer that denies', async () => {
  const { other, report, file, release } = await given(deny);
  await release();
  await file('busy');
  await report('PostToolUse', touch);
  expect(await other).toBe('allow');
});

test('a denial is taken when the transcript names it, or the turn ends by itself', async () => {
  const named = await given(deny);
  await named.release();
  await named.file('busy');
  named.decided('deny');
  expect(await named.other).toBeNull();
  const ended = await given(deny);
  await ended.release();
  await ended.file('busy');
  await ended.report('Stop');
  expect(await ended.other).toBeNull();
});

test('a turn that was interrupted was denied at the terminal, unless the answer was to interrupt it', async () => {
  const first = await given(deny);
  await first.release();
  await first.file('idle');
  expect(await first.other).toBe('deny');
  const interrupting = await given({ ...deny, interrupt: true });
  await interrupting.release();
  await interrupting.file('idle');
  expect(await interrupting.other).toBeNull();
});

test('a decision on another call is no sign', { timeout: 10_000 }, async () => {
  const { other, decided, release, file } = await given(deny);
  await release();
  await file('busy');
  decided('deny', { command: 'touch b' });
  expect(await other).toBe('unknown');
});

test('a tool that ran with its own input was allowed at the terminal, not with the input of the answer', async () => {
  const changed: Decision = { behavior: 'allow', updatedInput: { command: 'touch b' } };
  const lost = await given(changed);
  await lost.release();
  await lost.report('PostToolUse', touch);
  expect(await lost.other).toBe('allow');
  const taken = await given(changed);
  await taken.release();
  await taken.report('PostToolUse', { ...touch, tool_input: { command: 'touch b' } });
  expect(await taken.other).toBeNull();
});

test('a plan and a question are found in the transcript, where their input has fewer fields and another order', async () => {
  const plan = { tool_name: 'ExitPlanMode', tool_input: { plan: 'Do it', planFilePath: '/plans/do-it.md' } };
  const options = [{ label: 'Large', description: 'Fits' }];
  const ask = {
    tool_name: 'AskUserQuestion',
    tool_input: { questions: [{ question: 'Which size?', options, multiSelect: false }] },
  };
  const written = { questions: [{ multiSelect: false, question: 'Which size?', options }] };
  for (const [request, input] of [
    [plan, { plan: 'Do it' }],
    [ask, written],
  ] as const) {
    const { other, decided, file, release } = await given({ behavior: 'allow' }, request);
    await release();
    decided('allow', input);
    await file('idle');
    expect(await other).toBeNull();
    const another = await given({ behavior: 'allow' }, request);
    await another.release();
    another.decided('allow', { ...input, plan: 'Do more' });
    await another.file('idle');
    expect(await another.other).toBe('deny');
  }
});

test('labels in another order are the same answer, and a result without answers says nothing', async () => {
  const ask = { tool_name: 'AskUserQuestion', tool_input: { questions: [{ question: 'Which extras?' }] } };
  const both = { ...ask.tool_input, answers: { 'Which extras?': 'Nuts, Milk' } };
  const { other, report, release } = await given({ behavior: 'allow', updatedInput: both }, ask);
  await release();
  await report('PostToolUse', { ...ask, tool_response: {} });
  await report('PostToolUse', { ...ask, tool_response: { answers: { 'Which extras?': 'Milk, Nuts' } } });
  expect(await other).toBeNull();
});

test('a question counts as answered with what its result says', async () => {
  const ask = { tool_name: 'AskUserQuestion', tool_input: { questions: [{ question: 'Which size?' }] } };
  const large = { ...ask.tool_input, answers: { 'Which size?': 'Large' } };
  for (const [size, expected] of [
    ['Large', null],
    ['Small', 'allow'],
  ] as const) {
    const { other, report, release } = await given({ behavior: 'allow', updatedInput: large }, ask);
    await release();
    await report('PostToolUse', { ...ask, tool_response: { answers: { 'Which size?': size } } });
    expect(await other).toBe(expected);
  }
});
