/** A usage limit from the turn that it ended to its reset, and the message that is scheduled for it. */
import { expect, test } from 'vitest';
import type { Hook } from '../../contract/hook.ts';
import { file, hook, runScript, type ScriptEvent } from '../../testing/fold-script.ts';
import { isAnnounced } from './limit.ts';
import { isQueued } from '../queue/queue.ts';
import { stateText } from '../state-text.ts';
import { timing } from '../timing.ts';

const reset = 3_600_000;
const turn = [
  hook(0, 'SessionStart', { source: 'startup' }),
  file(10, 'idle'),
  hook(1_000, 'UserPromptSubmit', { prompt: 'do' }),
  file(1_010, 'busy'),
];
const failed = (error: string, text = 'API Error') =>
  hook(5_000, 'StopFailure', { error, last_assistant_message: text });
const limited = [
  ...turn,
  failed('rate_limit', "You've hit your session limit · resets 1am (UTC)"),
  file(5_040, 'idle'),
];
const own = (at: number, name: string, fields: Hook): ScriptEvent => ({ at, source: 'drover', name, fields });
const scheduled = own(10_000, 'ContinuationScheduled', { sendAt: reset + 5_000, text: 'continue' });

test('a usage limit is a reason of its own, with the time of its reset, and is not in the queue', () => {
  const { shown, session } = runScript(limited, 60_000);
  expect(shown).toEqual(['ready', 'working', 'waiting/limit']);
  expect(session.limit).toEqual({ resetsAt: reset, window: 'five_hour', continues: false, isOver: false });
  const at = new Date(reset);
  const clock = `${String(at.getHours()).padStart(2, '0')}:${String(at.getMinutes()).padStart(2, '0')}`;
  expect(stateText(session, 60_000)).toBe(`limit until ${clock}`);
  expect(isQueued(session)).toBe(false);
});

test('after the reset it is in the queue, unless it is about to continue', () => {
  expect(isQueued(runScript(limited, reset + 1).session)).toBe(true);
  expect(stateText(runScript(limited, reset + 1).session, reset)).toBe('limit over');
  const announced = [...limited, own(6_000, 'LimitSeen', { continues: true })];
  expect(isQueued(runScript(announced, reset + 1).session)).toBe(false);
  expect(isQueued(runScript(announced, reset + timing.limitGrace + 1).session)).toBe(true);
  expect(isQueued(runScript([...limited, scheduled], reset + 6_000).session)).toBe(false);
});

test('a five-hour limit whose reset has just passed is over, not a day long', () => {
  const late = [...turn, failed('rate_limit', "You've hit your 5-hour limit · resets 11:57pm (UTC)")];
  const { session } = runScript([...late, file(5_040, 'idle')], 60_000);
  expect(session.limit).toMatchObject({ resetsAt: -180_000, isOver: true });
  expect(isQueued(session)).toBe(true);
  const week = [...turn, failed('rate_limit', "You've hit your weekly limit · resets 11:57pm (UTC)")];
  expect(runScript([...week, file(5_040, 'idle')], 60_000).session.limit?.resetsAt).toBe(
    24 * reset - 180_000,
  );
});

test('a limit of unknown length is in the queue after a while', () => {
  const unknown = [...turn, failed('rate_limit'), file(5_040, 'idle')];
  expect(stateText(runScript(unknown, 60_000).session, 60_000)).toBe('usage limit');
  expect(isQueued(runScript(unknown, 60_000).session)).toBe(false);
  expect(isQueued(runScript(unknown, 5_000 + timing.limitUnknown).session)).toBe(true);
});

test('the menu that 2.1.197 opens is part of the limit, not a dialog for a person', () => {
  const menu = [...limited.slice(0, -1), file(5_040, 'waiting', 'dialog open')];
  const { shown, session } = runScript(menu, 60_000);
  expect(shown.at(-1)).toBe('waiting/limit');
  expect(isQueued(session)).toBe(false);
});

test.each([
  ['overloaded', 'API Error', 'overloaded'],
  ['server_error', 'API Error: 529 Overloaded. This is a server-side issue', 'overloaded'],
  ['authentication_failed', 'Please run /login · API Error: 401', 'not signed in'],
  ['server_error', 'API Error: 500 Internal server error', 'error'],
])('a turn that failed by %s (%s) is shown as "%s", and is in the queue', (error, message, text) => {
  const { session, shown } = runScript([...turn, failed(error, message), file(5_040, 'idle')], 60_000);
  expect(shown.at(-1)).toBe('waiting/failed');
  expect(stateText(session, 60_000)).toBe(text);
  expect(isQueued(session)).toBe(true);
});

test('the exact reset replaces the one of the message', () => {
  const seen = own(6_000, 'LimitSeen', { resetsAt: reset + 17_000, window: 'five_hour' });
  expect(runScript([...limited, seen], 60_000).session.limit?.resetsAt).toBe(reset + 17_000);
});

test('a scheduled message is dropped by the next turn, by cancelling and by the end of the session', () => {
  const { session } = runScript([...limited, scheduled], 60_000);
  expect(session.continuation).toMatchObject({ sendAt: reset + 5_000, text: 'continue' });
  const later = [
    hook(20_000, 'UserPromptSubmit', { prompt: 'again' }),
    own(20_000, 'ContinuationCancelled', {}),
    own(20_000, 'ContinuationSent', { message: 'm' }),
    hook(20_000, 'SessionEnd', { reason: 'other' }),
  ];
  for (const event of later)
    expect(runScript([...limited, scheduled, event], 60_000).session.continuation).toBe(null);
});

test('nothing is scheduled for a session that does not wait for a limit', () => {
  const stopped = [...turn, hook(5_000, 'Stop', {}), file(5_040, 'idle')];
  expect(runScript([...stopped, scheduled], 60_000).session.continuation).toBe(null);
});

test('an announcement counts until it is revoked below', () => {
  const announced = '● Usage limit reached · continuing automatically at 10:10pm · esc to cancel';
  const revoked = '● Automatic continue cancelled · /rate-limit-options to re-arm';
  expect(isAnnounced(announced)).toBe(true);
  expect(isAnnounced(`${announced}\n${revoked}`)).toBe(false);
  expect(isAnnounced(`${revoked}\n${announced}`)).toBe(true);
  expect(isAnnounced('resets 10pm')).toBe(false);
});
