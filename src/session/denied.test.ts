/** Denied calls and deadlines of a session, by turn. */
import { expect, test } from 'vitest';
import { SessionIndex } from '../live/session-index.ts';
import { file, foldEvent, hook, type ScriptEvent, scriptId } from '../testing/fold-script.ts';
import { aSession } from '../testing/session.ts';
import { notifiedAt, noticesDue, urgentAt } from './queue/notice.ts';
import { queueOf } from './queue/queue.ts';
import { deadlineName } from './request/requests.ts';
import { lastingText, stateText } from './state-text.ts';

const after = (...says: ScriptEvent[]) => {
  const sessionIndex = new SessionIndex([]);
  for (const [index, said] of says.entries()) foldEvent(sessionIndex, index + 1, said, said.at + 2);
  const session = sessionIndex.get(scriptId);
  if (!session) throw new Error('there is no session');
  return session;
};

const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command } });
const prompt = (at: number) => hook(at, 'UserPromptSubmit', { prompt: 'go' });
const denied = (at: number, command: string, reason = 'It is risky') =>
  hook(at, 'PermissionDenied', { ...bash(command), reason });
const settled = (at: number): ScriptEvent => ({ at, source: 'drover', name: 'Settled' });
const deadline = (at: number, request: number, until: number): ScriptEvent => ({
  at,
  source: 'sweep',
  name: deadlineName,
  fields: { request, until },
});

test('denied calls are counted for the turn and for the session, the newest first', () => {
  const says = [prompt(1_000), ...[1, 2, 3, 4].map(n => denied(1_000 + n, `rm ${n}`))];
  const session = after(...says, hook(2_000, 'Stop', {}), settled(5_000));
  expect(session.denied).toMatchObject({ turn: 4, total: 4 });
  expect(session.denied?.last.map(({ line }) => line)).toEqual(['Bash: rm 4', 'Bash: rm 3', 'Bash: rm 2']);
  expect(lastingText(session)).toBe('done, 4 denied');
  const next = after(
    ...says,
    hook(2_000, 'Stop', {}),
    prompt(3_000),
    hook(4_000, 'Stop', {}),
    settled(9_000),
  );
  expect(next.denied).toEqual({ turn: 0, total: 4, last: [] });
  expect(lastingText(next)).toBe('done');
});

test('a denial that arrives after the next prompt counts for the session only', () => {
  expect(after(prompt(3_000), denied(2_000, 'late')).denied).toEqual({ turn: 0, total: 1, last: [] });
});

test('reason and command are one bounded line each, whatever they contain', () => {
  const says = denied(1_001, `a\n${'b'.repeat(99_999)}`, 'x\u001b[2J\n'.repeat(999));
  const { line = '', reason = '' } = after(prompt(1_000), says).denied?.last[0] ?? {};
  expect([line.length, reason?.length]).toEqual([300, 300]);
  expect(`${line}${reason}`).not.toMatch(/[\n\u001b]/);
});

const asks = [
  prompt(1_000),
  hook(2_000, 'PermissionRequest', bash('rm -rf ~/*')),
  file(2_010, 'waiting', 'permission prompt'),
];

test('a request with a deadline that nobody answers was denied by Claude Code', () => {
  const open = after(...asks, deadline(4_000, 2, 122_000), settled(5_000));
  expect(open).toMatchObject({ deadline: 122_000, requests: [{ id: 2, deadline: 122_000 }] });
  expect(stateText(open, 19_000)).toBe('needs approval, 1:43 left');
  const over = after(...asks, deadline(4_000, 2, 122_000), file(122_100, 'busy'));
  expect(over.memory.past).toMatchObject([{ id: 2, by: 'claude', behavior: 'deny' }]);
  expect(over.deadline).toBeNull();
  expect(over.denied).toMatchObject({
    turn: 1,
    total: 1,
    last: [{ id: 2, reason: 'nobody answered in time' }],
  });
});

test('one that was answered before its deadline was answered in the terminal', () => {
  const over = after(...asks, deadline(4_000, 2, 122_000), file(60_000, 'busy'));
  expect(over.memory.past).toMatchObject([{ id: 2, by: 'terminal', behavior: null }]);
  expect(over.denied).toBeNull();
});

test('a deadline for a request that is not open changes nothing', () => {
  expect(after(...asks, deadline(4_000, 77, 122_000))).toMatchObject({ deadline: null });
});

const waiting = (id: string, since: number, until: number | null) =>
  aSession({
    id,
    state: 'waiting',
    reason: 'permission',
    since,
    deadline: until,
    requests: [
      {
        id: since,
        kind: 'permission',
        tool: 'Bash',
        agent: null,
        line: 'Bash: x',
        at: since,
        until: null,
        ...(until !== null && { deadline: until }),
      },
    ],
  });

test.each(['blocked-first', 'fifo'] as const)(
  'deadlines come first in the queue, the earliest before all: %s',
  order => {
    const sessions = [waiting('old', 1, null), waiting('late', 30, 900), waiting('soon', 20, 500)];
    expect(queueOf(sessions, 100, order).map(({ session }) => session.id)).toEqual(['soon', 'late', 'old']);
  },
);

test('a request with a deadline is notified at once and once, whatever the delays are', () => {
  const delays = { blockedAfter: 600_000, finishedAfter: null, deniedAfter: null, oncePerWait: true };
  const urgent = waiting('urgent', 1_000, 121_000);
  const plain = waiting('plain', 1_000, null);
  expect(noticesDue(queueOf([urgent, plain], 3_000), 3_000, delays).due.map(({ id }) => id)).toEqual([
    'urgent',
  ]);
  expect([urgentAt(urgent), urgentAt(plain)]).toEqual([1_000, null]);
  const deferral = {
    since: 1_000,
    skipped: null,
    snoozed: null,
    dismissed: null,
    claim: null,
    notified: 3_000,
    seen: null,
  };
  const told = { ...urgent, deferral };
  expect([notifiedAt(told), urgentAt(told)]).toEqual([3_000, null]);
});

test('a turn with denied calls has a delay of its own', () => {
  const delays = { blockedAfter: 1, finishedAfter: 600_000, deniedAfter: 5_000, oncePerWait: false };
  const done = aSession({ id: 'done', state: 'waiting', reason: 'stopped', since: 1_000 });
  const some = { ...done, id: 'denied', denied: { turn: 2, total: 2, last: [] } };
  expect(noticesDue(queueOf([some], 6_500), 6_500, delays).due).toEqual([some]);
  expect(noticesDue(queueOf([done], 6_500), 6_500, delays).due).toEqual([]);
});
