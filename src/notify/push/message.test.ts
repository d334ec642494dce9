import { expect, test } from 'vitest';
import type { RequestPage } from '../../contract/answer.ts';
import type { Notice } from '../../contract/notice.ts';
import { limits } from '../../limits.ts';
import { digestMessage, sessionMessage } from './message.ts';

const session: Notice['sessions'][number] = {
  id: 's1',
  title: 'Secret title',
  project: 'shop',
  branch: 'secret-branch',
  reason: 'permission',
  outcome: null,
  says: 'needs approval',
  since: 0,
  request: 'git push',
  requestId: 7,
  pane: null,
};

const request = (input: Record<string, unknown> | null, more: Partial<RequestPage> = {}): RequestPage => ({
  id: 7,
  kind: 'permission',
  tool: 'Bash',
  agent: null,
  line: 'git push',
  at: 0,
  until: null,
  input,
  rememberable: false,
  way: 'hook',
  choices: [
    { choice: 'allow', label: 'Yes', effect: 'allow' },
    { choice: 'deny', label: 'No', effect: 'deny' },
  ],
  ...more,
});

const same = (text: string) => text;
const brief = { details: false, mask: same };
const full = { details: true, mask: same };

test('by default a notification names project and reason, and can be reviewed or denied', () => {
  const message = sessionMessage(session, request({ command: 'git push' }), 1, brief);
  expect(message).toEqual({
    title: 'shop: needs approval',
    body: '',
    tag: 's1',
    session: 's1',
    actions: ['review', 'deny'],
    choices: ['deny'],
    request: 7,
  });
});

test('with details it shows the whole request, which can be allowed', () => {
  const message = sessionMessage(session, request({ command: 'git push', timeout: 5 }), 3, full);
  expect(message.body).toBe('Bash\ncommand: git push\ntimeout: 5\nand 2 more requests');
  expect(message.actions).toEqual(['allow', 'deny']);
  expect(sessionMessage(session, request({ command: 'ls' }, { agent: 'Explore' }), 1, full).body).toBe(
    'Bash (subagent Explore): ls',
  );
});

test.each<[string, RequestPage]>([
  ['is long', request({ command: `touch ${'x'.repeat(limits.push.rows * limits.push.columns)}` })],
  ['has many lines', request({ command: 'a\n'.repeat(limits.push.rows) })],
  ['hides characters', request({ command: 'echo \u202esafe' })],
  ['hides the end behind spaces', request({ command: `echo hi${' '.repeat(30)}; rm -r x` })],
  [
    'hides the end behind other spaces',
    request({ command: `echo hi${'\u2003\u3000\u00a0'.repeat(3)}; rm x` }),
  ],
  ['hides the end behind blank braille', request({ command: `echo hi${'\u2800'.repeat(9)}; rm x` })],
  ['has words that each take a row', request({ command: `${'y'.repeat(30)} `.repeat(limits.push.rows + 1) })],
  ['has parts that each take a row', request({ command: `${'y'.repeat(30)}/`.repeat(limits.push.rows + 1) })],
  ['has a control character', request({ command: 'echo\thi\rx' })],
  ['has no known input', request(null)],
  ['is a plan', request({ plan: 'Do it' }, { kind: 'plan', tool: 'ExitPlanMode' })],
])('a request that %s can only be reviewed or denied', (_, page) => {
  expect(sessionMessage(session, page, 1, full).actions).toEqual(['review', 'deny']);
});

test('a request with a masked secret can only be reviewed or denied', () => {
  const mask = (text: string) => text.replace('hunter2', '[redacted]');
  const message = sessionMessage(session, request({ command: 'login hunter2' }), 1, { details: true, mask });
  expect(message).toMatchObject({ body: 'Bash: login [redacted]', actions: ['review', 'deny'] });
});

test('what cannot be answered from here has no actions', () => {
  const { actions, choices, ...message } = sessionMessage(session, request({}, { choices: [] }), 1, full);
  expect([actions, choices]).toEqual([[], []]);
  expect(message).not.toHaveProperty('request');
  const asks = { choice: 'deny', label: 'No', effect: 'deny', confirm: 'This ends the session.' } as const;
  expect(sessionMessage(session, request({}, { choices: [asks] }), 1, full).actions).toEqual([]);
  expect(sessionMessage({ ...session, reason: 'stopped', says: 'done' }, null, 0, full)).toMatchObject({
    title: 'shop: done',
    body: 'git push',
    actions: [],
  });
});

test('a digest lists projects and reasons; a text without sessions is shown with details only', () => {
  const notice = {
    at: 1,
    title: 'Six wait',
    text: 'secret',
    sessions: Array.from({ length: 6 }, () => session),
  };
  expect(digestMessage(notice, brief)).toMatchObject({
    title: '6 sessions wait for you',
    body: Array(6).fill('shop: needs approval').join('\n'),
    session: null,
    actions: [],
  });
  expect(digestMessage({ ...notice, sessions: [] }, brief)).toMatchObject({ title: 'Six wait', body: '' });
  expect(digestMessage({ ...notice, sessions: [] }, full)).toMatchObject({ body: 'secret', tag: 'notice-1' });
  const short = { ...notice, sessions: [], brief: { title: 'Short', text: 'a line' } };
  expect(digestMessage(short, brief)).toMatchObject({ title: 'Short', body: 'a line' });
  expect(digestMessage(short, full)).toMatchObject({ title: 'Six wait', body: 'secret' });
});
