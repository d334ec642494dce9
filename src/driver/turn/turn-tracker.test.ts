/** A turn by the facts of hooks, a session file and a transcript. */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limits } from '../../limits.ts';
import { tempHome } from '../../testing/home.ts';
import { parseHookPayload } from './hook-payload.ts';
import { TurnTracker } from './turn-tracker.ts';

const setUp = () => {
  const claudeDir = tempHome().home;
  mkdirSync(join(claudeDir, 'sessions'), { recursive: true });
  const transcript = join(claudeDir, 't.jsonl');
  const lines: string[] = [];
  const tracker = new TurnTracker({
    claudeDir,
    cwd: '/w',
    pid: process.pid,
    began: { at: 0, clock: 0 },
    sizes: new Map(),
    onLine: line => lines.push(line),
  });
  const payload = (fields: object = {}) =>
    parseHookPayload(JSON.stringify({ session_id: 's', transcript_path: transcript, ...fields }));
  const status = (name: string, changed: number) => {
    const file = { sessionId: 's', status: name, statusUpdatedAt: changed };
    writeFileSync(join(claudeDir, 'sessions', `${process.pid}.json`), JSON.stringify(file));
    tracker.readStatus();
  };
  const write = (line: object) => {
    const timestamp = new Date(1_000).toISOString();
    appendFileSync(transcript, `${JSON.stringify({ timestamp, ...line })}\n`);
    tracker.readLines();
  };
  const end = (hasExited = false, later = 0) => tracker.endAt(performance.now() + later, hasExited)?.kind;
  return { tracker, payload, status, write, end, lines };
};

test('a Stop ends the turn once the session file says idle after it', () => {
  const { tracker, payload, status, end } = setUp();
  status('busy', 100);
  tracker.onStop(payload({ last_assistant_message: 'hi' }), 200);
  expect([end(), tracker.isBusy]).toEqual([undefined, true]);
  status('idle', 150);
  expect(end()).toBeUndefined();
  status('idle', 210);
  expect(tracker.endAt(performance.now(), false)).toMatchObject({ kind: 'stopped', stop: { answer: 'hi' } });
});

test('without a session file a Stop is final after a moment', () => {
  const { tracker, payload, end } = setUp();
  tracker.onStop(payload(), 200);
  expect(end()).toBeUndefined();
  expect(end(false, limits.print.stopSettle + 1)).toBe('stopped');
});

test('a Stop while background tasks run does not end the turn', () => {
  const { tracker, payload, status, end } = setUp();
  tracker.onStop(payload({ background_tasks: [{ type: 'subagent', status: 'running' }] }), 200);
  status('idle', 300);
  expect([end(), tracker.isBusy]).toEqual([undefined, true]);
  tracker.onStop(payload(), 400);
  status('idle', 410);
  expect([end(), tracker.isBusy]).toEqual(['stopped', false]);
});

test('a CLI that exits after its Stop has ended its turn; one that exits before has not', () => {
  const { tracker, payload, end } = setUp();
  expect(end(true)).toBeUndefined();
  tracker.onStop(payload(), 200);
  expect(end(true)).toBe('stopped');
});

test('an API error or an interruption ends the turn without a Stop, once the CLI is idle', () => {
  const { tracker, payload, status, write, end, lines } = setUp();
  tracker.onPrompt(payload());
  write({ type: 'assistant', isApiErrorMessage: true, message: { content: [{ type: 'text', text: 'no' }] } });
  expect([end(), lines.length, tracker.firstLine !== null]).toEqual([undefined, 1, true]);
  status('idle', 300);
  expect(tracker.endAt(performance.now(), false)).toEqual({ kind: 'failed', message: 'no' });
  write({ type: 'assistant', message: { id: 'm', content: [] } });
  write({ type: 'user', message: { content: '[Request interrupted by user]' } });
  expect(end()).toBe('interrupted');
});

test('the prompt is taken when its hook fires, or the CLI is busy', () => {
  const { tracker, payload, status } = setUp();
  expect([tracker.isSubmitted, tracker.isStarted]).toEqual([false, false]);
  status('idle', 1);
  expect([tracker.isSubmitted, tracker.isStarted]).toEqual([false, true]);
  tracker.onPrompt(payload());
  expect([tracker.isSubmitted, tracker.sessionId]).toEqual([true, 's']);
});
