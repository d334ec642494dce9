import { describe, expect, test } from 'vitest';
import type { Choice, Request, RequestPage } from '../../contract/answer.ts';
import type { OpenRequest, Session } from '../../contract/session.ts';
import { boardLimits } from '../../board-limits.ts';
import { aSession } from '../../testing/session.ts';
import {
  type Board,
  choiceLines,
  withChanges,
  detailLines,
  emptyBoard,
  insertText,
  isAnswerEntry,
  nothingText,
  openNextPanel,
  overRequest,
  panelHint,
  panelLines,
  panelTitle,
  projectsIn,
  requestToLoad,
  withOutcome,
  withRequestPage,
  withRequests,
  withPaint,
  press,
  sessionToLoad,
  withSnapshot,
} from '../board.ts';

const now = 1_000_000;
const seen = { maxScroll: 0, isEnd: true };
const open = (id: number, more: Partial<OpenRequest> = {}): OpenRequest => ({
  id,
  kind: 'permission',
  tool: 'Bash',
  agent: null,
  line: `Bash: command ${id}`,
  at: 1,
  until: 2_000_000,
  ...more,
});
const complete = (request: OpenRequest, input: Request['input']): Request => ({
  ...request,
  input,
  rememberable: false,
});
const choices: Choice[] = [
  { choice: 'allow', label: 'Allow once', effect: 'allow' },
  { choice: 'allow_always', label: "Allow and don't ask again", effect: 'allow', rule: 'Bash(npm:*)' },
  { choice: 'deny', label: 'Deny', effect: 'deny', takesMessage: true },
];
const pageOf = (request: Request, more: Partial<RequestPage> = {}): RequestPage => ({
  ...request,
  way: 'hook',
  choices,
  ...more,
});

const pane = { socket: '/s', serverPid: 1, id: '%1', pid: 1, session: 's', window: 'w', windowIndex: 0 };

const held = (id: string, since: number, requests: OpenRequest[], more: Partial<Session> = {}): Session =>
  aSession({
    id,
    since,
    state: 'waiting',
    reason: 'permission',
    approvals: 'held',
    project: 'shop',
    pane,
    requests,
    ...more,
  });

const two = withSnapshot(
  emptyBoard,
  [held('first', 1, [open(7), open(8)]), held('second', 2, [open(9)])],
  now,
);
const inputs = [complete(open(7), { command: 'npm publish' }), complete(open(8), { command: 'npm test' })];
const publish = pageOf(inputs[0] as Request);

const type = (board: Board, at: number, ...keys: string[]) =>
  keys.reduce((state, key) => press(state, key, at).board, board);
const entryOf = ({ entry }: Board) => (isAnswerEntry(entry) ? entry : null);
const answerOf = (board: Board, at: number) => {
  const { command } = press(board, 'enter', at);
  return command?.kind === 'answer' ? command.answer : null;
};

/** The panel of request 7, loaded, with its text on the screen to the end. */
const opened = (page: RequestPage = publish, board: Board = two, key = 'a') =>
  withPaint(withRequestPage(type(board, now, key), page, now), now, seen);
const later = now + boardLimits.confirmDelay;

describe('the answer panel', () => {
  test('answers its own request, also when another session becomes first', () => {
    const moved = withChanges(opened(), [held('older', 0, [open(3)])], now);
    expect(press(moved, 'enter', later).command).toEqual({
      kind: 'answer',
      id: 'first',
      answer: { id: 7, choice: 'allow' },
    });
  });

  test('digits choose, and Enter sends what is chosen; only a chosen option can be sent', () => {
    expect(answerOf(type(opened(), now, '2'), later)).toEqual({ id: 7, choice: 'allow_always' });
    expect(answerOf(type(opened(), now, '9'), later)).toEqual({ id: 7, choice: 'allow' });
    const lines = choiceLines(entryOf(type(opened(), now, '2')) as never, 60);
    expect(lines).toEqual([
      '( ) 1. Allow once',
      "(•) 2. Allow and don't ask again: Bash(npm:*)",
      '( ) 3. Deny',
    ]);
  });

  test('an Enter right after the panel opened is not sent, also behind a digit; later it is sent at once', () => {
    const early = press(opened(), 'enter', later - 1);
    expect([early.command, early.board.notice]).toEqual([null, 'Press Enter again to send.']);
    const hasty = press(opened(), '2', later - 1).board;
    expect(answerOf(hasty, later)).toBeNull();
    expect(answerOf(hasty, later - 1 + boardLimits.confirmDelay)).toMatchObject({ choice: 'allow_always' });
    expect(answerOf(press(opened(), '2', later).board, later)).toMatchObject({ choice: 'allow_always' });
    const late = withPaint(withRequestPage(type(two, now, 'a'), publish, now + 5_000), now + 5_000, seen);
    expect(answerOf(late, now + 5_000 + boardLimits.confirmDelay - 1)).toBeNull();
    expect(answerOf(late, now + 5_000 + boardLimits.confirmDelay)).not.toBeNull();
  });

  test('allows nothing until the complete request is loaded and its end was on the screen', () => {
    const loading = withPaint(type(two, now, 'a'), now, seen);
    expect(requestToLoad(loading, now)).toEqual({ id: 'first', request: 7 });
    const early = press(loading, 'enter', later);
    expect([early.command, early.board.notice]).toEqual([null, expect.stringContaining('loading')]);
    const begun = withPaint(withRequestPage(loading, publish, now), now, { maxScroll: 9, isEnd: false });
    expect(requestToLoad(begun, now)).toBeNull();
    const half = press(begun, 'enter', later);
    expect([half.command, half.board.notice]).toEqual([null, 'Scroll to the end first: J or PageDown.']);
    const read = withPaint(type(half.board, later, 'pagedown'), later, { maxScroll: 9, isEnd: true });
    // Back at the beginning it has still been read.
    const back = withPaint(type(read, later, 'g'), later, { maxScroll: 9, isEnd: false });
    expect(press(back, 'enter', later).command).toMatchObject({ kind: 'answer' });
  });

  test('loads the choices again when a hook no longer holds the request, and keeps what is still possible', () => {
    const lapsed = withChanges(opened(), [held('first', 1, [open(7, { until: null }), open(8)])], now);
    expect(requestToLoad(lapsed, now)).toEqual({ id: 'first', request: 7 });
    const again = withRequestPage(lapsed, { ...publish, until: null, way: 'screen' }, now);
    expect([requestToLoad(again, now), entryOf(again)?.choice]).toEqual([null, 'allow']);
  });

  test('sends nothing where the request cannot be answered from here, and says why', () => {
    const none = opened({ ...publish, way: 'none', choices: [], why: 'Its screen cannot be read.' });
    expect(choiceLines(entryOf(none) as never, 60)).toEqual(['Its screen cannot be read.']);
    expect(press(none, 'enter', later)).toMatchObject({
      command: null,
      board: { notice: 'Its screen cannot be read.' },
    });
    // Its dialog may come to the screen a moment later.
    expect(requestToLoad(none, now + boardLimits.choicesRetry - 1)).toBeNull();
    expect(requestToLoad(none, now + boardLimits.choicesRetry)).toEqual({ id: 'first', request: 7 });
    const shown = withRequestPage(none, publish, later);
    expect([answerOf(shown, later), answerOf(shown, later + boardLimits.confirmDelay)]).toEqual([
      null,
      { id: 7, choice: 'allow' },
    ]);
  });

  test('scrolls by keys up to its end, and closes with Esc or q', () => {
    const at = (board: Board) => entryOf(board)?.scroll;
    const board = opened();
    expect(at(type(board, now, 'J', 'j', 'down'))).toBe(3);
    expect(at(type(board, now, 'J', 'K', 'k'))).toBe(0);
    expect(at(press(board, 'pagedown', now, 12).board)).toBe(12);
    expect(at(withPaint(type(board, now, 'G'), now, { maxScroll: 40, isEnd: true }))).toBe(40);
    for (const key of ['escape', 'q']) expect(type(board, now, key).entry).toBeNull();
    for (const key of ['a', 'y', 'd', 's', 'N']) expect(type(board, now, key).entry).toEqual(board.entry);
  });

  test('says who answered when its request is gone; a key closes it and nothing is sent', () => {
    const gone = withChanges(opened(), [held('first', 1, [open(8)])], later);
    expect(entryOf(gone)?.over).toBe('No longer open: Bash: command 7');
    expect(overRequest(gone)).toEqual({ id: 'first', request: 7 });
    const told = withOutcome(gone, 7, 'Already allowed in the terminal 2 s ago');
    expect(panelLines(told, entryOf(told) as never, 70)).toContain('Already allowed in the terminal 2 s ago');
    const pressed = press(told, 'enter', later + 1_000);
    expect([pressed.command, pressed.board.entry]).toEqual([null, null]);
    expect(pressed.board.notice).toBe('Already allowed in the terminal 2 s ago');
    // Further keys were meant for the panel too.
    const after = later + 1_000 + boardLimits.closedFieldPause;
    expect(press(pressed.board, 'd', after - 1).command).toBeNull();
    expect(press(pressed.board, 'd', after).command).not.toBeNull();
    const ended = withChanges(opened(), [held('first', 1, [], { state: 'ended', reason: 'exit' })], now);
    expect(entryOf(ended)?.over).toBe('The session has ended.');
  });

  test('shows the session, the complete input and the other open requests', () => {
    const board = opened();
    const text = panelLines(board, entryOf(board) as never, 79).join('\n');
    expect(text).toMatch(/Session +shop \(first\)\n[\s\S]*Tool +Bash\n\n {2}npm publish\n/);
    expect(text).toContain('1 more open request:\n  8  Bash: command 8');
    const long = opened(pageOf(complete(open(7), { command: 'x '.repeat(50_000) })));
    const wrapped = panelLines(long, entryOf(long) as never, 20);
    expect(wrapped.join('').match(/x/g)?.length).toBeGreaterThanOrEqual(50_000);
    expect(wrapped.every(line => line.length <= 20)).toBe(true);
  });

  test('shows every character of the input', () => {
    const board = opened(pageOf(complete(open(7), { command: 'ls\u202e\x1b[8m; rm -rf ~' })));
    const text = panelLines(board, entryOf(board) as never, 79).join('\n');
    expect(text).toContain('ls\\u202e\\u001b[8m; rm -rf ~');
  });

  test.each<[OpenRequest['kind'], string]>([
    ['permission', 'Allow Bash in shop?'],
    ['plan', 'Approve the plan in shop?'],
    ['question', 'A question in shop'],
    ['dialog', 'A dialog in shop'],
    ['elicitation', 'A form in shop'],
  ])('has a title for a %s', (kind, title) => {
    const board = type(withSnapshot(emptyBoard, [held('one', 1, [open(7, { kind })])], now), now, 'a');
    expect(panelTitle(board, entryOf(board) as never)).toBe(title);
  });

  test('Tab shows the next open request of the queue, and comes around', () => {
    const shown = (board: Board) => [entryOf(board)?.id, entryOf(board)?.request];
    const first = openNextPanel(two, now);
    expect(shown(first)).toEqual(['first', 7]);
    expect(shown(type(first, now, 'tab'))).toEqual(['first', 8]);
    expect(shown(type(first, now, 'tab', 'tab'))).toEqual(['second', 9]);
    expect(shown(type(first, now, 'tab', 'tab', 'tab'))).toEqual(['first', 7]);
    const alone = openNextPanel(withSnapshot(emptyBoard, [held('one', 1, [open(7)])], now), now);
    expect(type(alone, now, 'tab').notice).toBe('No other request is open.');
  });

  test('without a request says how many work', () => {
    const quiet = [aSession({ id: 'a', state: 'working' }), aSession({ id: 'b', state: 'working' })];
    expect(nothingText(withSnapshot(emptyBoard, quiet, now), now)).toBe('Nothing is waiting. 2 working.');
    const done = [...quiet, aSession({ id: 'c', state: 'waiting', reason: 'stopped' })];
    expect(nothingText(withSnapshot(emptyBoard, done, now), now)).toBe(
      'Nothing to answer. 1 finished, 2 working.',
    );
    expect(entryOf(openNextPanel(withSnapshot(emptyBoard, done, now), now))).toBeNull();
  });
});

describe('a denial', () => {
  const denying = () => opened(publish, two, 'x');

  test('takes a typed or pasted message, and need not be read to its end', () => {
    const board = withPaint(withRequestPage(type(two, now, 'x'), publish, now), now, {
      maxScroll: 9,
      isEnd: false,
    });
    expect(answerOf(type(board, now, 'n', 'o'), later)).toEqual({ id: 7, choice: 'deny', message: 'no' });
    expect(insertText(board, 'not on main').entry).toMatchObject({ text: 'not on main' });
    expect(answerOf(board, later)).toEqual({ id: 7, choice: 'deny' });
    expect(answerOf(board, later - 1)).toBeNull();
    expect(type(board, now, 'j', 'G', ' ', 'down').entry).toMatchObject({ text: 'jG ', scroll: 1 });
    expect(type(board, now, '2').entry).toMatchObject({ text: '2', choice: 'deny' });
  });

  test('is left with Backspace in the empty field, for the other choices', () => {
    expect(answerOf(type(denying(), now, 'backspace', '1'), later)).toEqual({ id: 7, choice: 'allow' });
    expect(type(opened(), now, 'x', 'n').entry).toMatchObject({ choice: 'deny', text: 'n', isWriting: true });
  });

  test('a message is not sent with another choice', () => {
    const board = type(denying(), now, 'n', 'backspace', 'backspace', '1');
    expect(answerOf(board, later)).toEqual({ id: 7, choice: 'allow' });
    const written = type(opened(), now, '3', 'n', 'o');
    const other = withRequestPage(written, publish, later);
    expect(entryOf(other)?.text).toBe('no');
  });

  test('limits the length of the message, and says so', () => {
    const full = insertText(denying(), 'x'.repeat(boardLimits.fieldText));
    expect(type(full, now, 'y')).toMatchObject({
      entry: { text: 'x'.repeat(boardLimits.fieldText) },
      notice: expect.stringContaining('2000 characters'),
    });
  });

  test('drops a paste outside its field', () => {
    expect(insertText(two, 'a')).toBe(two);
    expect(insertText(opened(), 'a')).toMatchObject({ entry: { text: '' } });
  });
});

describe('questions in the panel', () => {
  const size = {
    question: 'Which size?',
    header: 'Size',
    multiSelect: false,
    options: [
      { label: 'S', description: 'small' },
      { label: 'L', description: null },
    ],
  };
  const extras = { ...size, question: 'Which extras?', multiSelect: true };
  const asks = open(7, { kind: 'question', tool: 'AskUserQuestion' });
  const page = (...questions: object[]) =>
    pageOf(complete(asks, { questions }), {
      choices: [
        { choice: 'answer', label: 'Answer', effect: 'answer' },
        { choice: 'deny', label: 'Decline to answer', effect: 'deny', takesMessage: true },
      ],
    });
  const board = (...questions: object[]) =>
    opened(page(...questions), withSnapshot(emptyBoard, [held('one', 1, [asks])], now));

  test('a digit chooses the one answer', () => {
    expect(answerOf(board(size), later)).toBeNull();
    expect(press(board(size), 'enter', later).board.notice).toContain('Choose with a digit');
    const sent = { id: 7, choice: 'answer', answers: { 'Which size?': 'L' } };
    expect(answerOf(type(board(size), now, '1', '2'), later)).toEqual(sent);
    expect(choiceLines(entryOf(type(board(size), now, '2')) as never, 60)).toEqual([
      '( ) 1. S: small',
      '(•) 2. L',
      '( ) 3. Write an answer',
    ]);
  });

  test('digits tick several answers, and Enter goes to the next question', () => {
    const second = press(type(board(size, extras), now, '1'), 'enter', later);
    expect([second.command, entryOf(second.board)?.step]).toEqual([null, 1]);
    expect(panelHint(entryOf(second.board) as never)).toContain('1-9 tick');
    const ticked = type(second.board, later, '1', '2', '1', '1');
    expect(answerOf(ticked, later)).toEqual({
      id: 7,
      choice: 'answer',
      answers: { 'Which size?': 'S', 'Which extras?': ['L', 'S'] },
    });
    expect(entryOf(type(ticked, later, '['))?.step).toBe(0);
  });

  test('an answer can be written', () => {
    const written = insertText(type(board(size), now, '3', 'X'), 'L please');
    expect(answerOf(written, later)).toMatchObject({ answers: { 'Which size?': 'XL please' } });
  });

  test('x declines to answer', () => {
    expect(answerOf(type(board(size), now, 'x', 'n', 'o'), later)).toEqual({
      id: 7,
      choice: 'deny',
      message: 'no',
    });
  });
});

test('the fields of a form are written one after another, and those that are not needed may stay empty', () => {
  const asks = open(7, { kind: 'elicitation', tool: null, until: null });
  const fields = [
    { name: 'mail', label: 'Mail address', isRequired: true },
    { name: 'note', label: 'Note', isRequired: false },
    { name: 'size', label: 'Size', isRequired: true, options: ['Small one', 'Large one'] },
  ];
  const page = pageOf(complete(asks, null), {
    way: 'screen',
    choices: [
      { choice: 'accept', label: 'Accept', effect: 'answer', fields },
      { choice: 'decline', label: 'Decline', effect: 'deny' },
    ],
  });
  const board = opened(page, withSnapshot(emptyBoard, [held('one', 1, [asks])], now));
  expect(choiceLines(entryOf(board) as never, 60)).toEqual(['1 of 3: Mail address']);
  expect(press(board, 'enter', later).board.notice).toBe('This field is required.');
  const second = press(insertText(board, 'a@b.example'), 'enter', later).board;
  expect(entryOf(second)).toMatchObject({ step: 1, isWriting: true });
  const third = press(second, 'enter', later).board;
  expect(choiceLines(entryOf(third) as never, 60)).toEqual([
    '3 of 3: Size',
    '( ) 1. Small one',
    '( ) 2. Large one',
  ]);
  expect(press(type(third, later, '3'), 'enter', later).command).toBeNull();
  expect(answerOf(type(third, later, '2'), later)).toEqual({
    id: 7,
    choice: 'accept',
    values: { mail: 'a@b.example', size: 'Large one' },
  });
  expect(answerOf(type(board, now, 'backspace', 'x'), later)).toEqual({ id: 7, choice: 'decline' });
});

test('a choice with consequences is never chosen for the person, and its sentence is confirmed', () => {
  const asks = open(7, { kind: 'dialog', tool: null, until: null });
  const page = pageOf(complete(asks, null), {
    way: 'screen',
    choices: [
      {
        choice: 'startup:1',
        label: 'Yes, I trust this folder',
        effect: 'allow',
        confirm: 'It may run code.',
      },
      { choice: 'startup:2', label: 'No, exit', effect: 'deny', confirm: 'The session ends.' },
    ],
  });
  const board = opened(page, withSnapshot(emptyBoard, [held('one', 1, [asks])], now));
  expect(press(board, 'enter', later).board.notice).toBe('Choose with a digit first.');
  const chosen = press(board, '1', later).board;
  const asked = press(chosen, 'enter', later + 1_000);
  expect([asked.command, choiceLines(entryOf(asked.board) as never, 60)]).toEqual([
    null,
    ['Yes, I trust this folder', 'It may run code.'],
  ]);
  expect(answerOf(asked.board, later + 1_000 + boardLimits.confirmDelay - 1)).toBeNull();
  expect(answerOf(asked.board, later + 1_000 + boardLimits.confirmDelay)).toEqual({
    id: 7,
    choice: 'startup:1',
    confirmed: true,
  });
});

describe('several sessions', () => {
  test('Space marks; skip, snooze, dismiss, message and park act on all that they apply to, then the marks are gone', () => {
    const done = aSession({ id: 'done', state: 'waiting', reason: 'stopped', since: 3 });
    const works = aSession({ id: 'works', state: 'working' });
    const four = withSnapshot(two, [...two.sessions.values(), done, works], now);
    const marked = type(four, now, ' ', ' ', ' ', ' ');
    expect([...marked.marked]).toEqual(['first', 'second', 'done', 'works']);
    const skipped = press(marked, 's', now);
    expect(skipped.command).toEqual({
      kind: 'several',
      commands: [
        { kind: 'skip', id: 'first' },
        { kind: 'skip', id: 'second' },
        { kind: 'skip', id: 'done' },
      ],
    });
    expect(skipped.board.marked.size).toBe(0);
    expect(press(type(marked, now, 'z'), 'enter', now).command).toMatchObject({ kind: 'several' });
    const sent = press(type(marked, now, 'm', 'h', 'i'), 'enter', now);
    expect(sent.command).toMatchObject({
      commands: [{ id: 'done' }, { id: 'works', text: 'hi' }],
    });
    const asked = press(marked, 'p', now);
    expect(asked).toMatchObject({ command: null, board: { entry: { kind: 'confirm', ids: ['done'] } } });
    expect(press(asked.board, 'enter', later)).toMatchObject({
      command: { kind: 'park', id: 'done' },
      board: { marked: new Set() },
    });
    expect(sent.board.marked.size).toBe(0);
    expect([...type(marked, now, 'k', ' ').marked]).toHaveLength(3);
    expect(type(marked, now, 'escape').marked.size).toBe(0);
  });

  test('u brings back what was deferred last, all of it, and then what was deferred before', () => {
    const one = press(two, 's', now).board;
    const both = press(type(one, now, ' ', ' '), 'd', now).board;
    const undone = press(both, 'u', now);
    expect(undone.command).toMatchObject({
      commands: [
        { kind: 'undo', id: 'first' },
        { kind: 'undo', id: 'second' },
      ],
    });
    expect(press(undone.board, 'u', now).command).toEqual({ kind: 'undo', id: 'first' });
    expect(press(two, 'u', now).board.notice).toBe('Nothing to undo.');
  });
});

describe('title, tags, message, interrupt', () => {
  const session = held('first', 1, [], { title: 'Cart', titleFrom: 'person', tags: ['old', 'keep'] });
  const board = withSnapshot(emptyBoard, [session], now);

  test('e renames, and an empty title is removed', () => {
    expect(type(board, now, 'e').entry).toMatchObject({ text: 'Cart' });
    const renamed = press(insertText(type(board, now, 'e'), ' 2'), 'enter', now);
    expect(renamed.command).toEqual({ kind: 'rename', id: 'first', title: 'Cart 2' });
    expect(press(type(board, now, 'e', 'ctrl-u'), 'enter', now).command).toMatchObject({ title: null });
  });

  test('t shows the tags, and the difference is sent', () => {
    const typed = insertText(type(board, now, 't', 'ctrl-u'), 'keep new');
    expect(press(typed, 'enter', now).command).toEqual({
      kind: 'tag',
      id: 'first',
      add: ['new'],
      remove: ['old'],
    });
    expect(press(type(board, now, 't'), 'enter', now).command).toBeNull();
  });

  test('m sends a message; an empty one is not sent', () => {
    const done = withSnapshot(emptyBoard, [{ ...session, reason: 'stopped' }], now);
    expect(press(type(done, now, 'm', 'h', 'i'), 'enter', now).command).toEqual({
      kind: 'message',
      id: 'first',
      text: 'hi',
    });
    expect(press(type(done, now, 'm'), 'enter', now).command).toBeNull();
  });

  test('m and p say why they do not work', () => {
    expect(press(board, 'm', now).board.notice).toBe('Answer its dialog first.');
    expect(press(board, 'p', now).board.notice).toBe('Only an idle session can be parked.');
    const ended = withSnapshot(emptyBoard, [aSession({ id: 'e', state: 'waiting' })], now);
    const over = withChanges(ended, [aSession({ id: 'e', state: 'ended' })], now);
    expect(press(over, 'm', now).board.notice).toBe('The session has ended.');
    expect(press(over, 'p', now).board.notice).toBe('The session has ended.');
  });

  test('i asks first, only while the session works', () => {
    expect(press(board, 'i', now).board.notice).toBe('The session is not working.');
    const works = withSnapshot(emptyBoard, [aSession({ id: 'w', state: 'working' })], now);
    const asked = type(works, now, 'i');
    expect(press(asked, 'enter', later - 1).command).toBeNull();
    expect(press(asked, 'enter', later).command).toEqual({ kind: 'interrupt', id: 'w' });
    expect(type(asked, now, 'escape').entry).toBeNull();
    const over = withChanges(asked, [aSession({ id: 'w', state: 'waiting', reason: 'stopped' })], now);
    expect(over).toMatchObject({ entry: null, notice: expect.stringContaining('no longer working') });
  });
});

describe('a new session', () => {
  const projects = ['shop', 'blog', 'shopping-list'].map((project, n) => ({
    dir: `/w/${project}`,
    project,
    at: n,
  }));
  const form = { ...type(two, now, 'N'), projects };

  test('is started in a known project that is found by some of its letters', () => {
    const typed = type(form, now, 'b', 'g', 'enter', 'h', 'i', 'tab', '4', 'tab', ' ');
    expect(press(typed, 'enter', now).command).toEqual({
      kind: 'create',
      form: { dir: '/w/blog', prompt: 'hi', mode: 'plan', worktree: true },
    });
  });

  test('or in any directory by its path', () => {
    const typed = insertText(form, '/srv/other/');
    expect(press(type(typed, now, 'enter'), 'enter', now).command).toMatchObject({
      form: { dir: '/srv/other' },
    });
    const nowhere = press(insertText(form, 'zzz'), 'enter', now);
    expect([nowhere.command, nowhere.board.notice]).toEqual([
      null,
      expect.stringContaining('No known project'),
    ]);
  });

  test('the arrows choose among the matches', () => {
    const typed = type(form, now, 's', 'down', 'enter');
    expect(press(typed, 'enter', now).command).toMatchObject({ form: { dir: '/w/shopping-list' } });
    const { entry } = type(form, now, 's');
    expect(projectsIn(form, entry as never).map(({ project }) => project)).toEqual(['shop', 'shopping-list']);
  });
});

describe('the request that is shown', () => {
  test('is the first or the picked one, and a and x answer it', () => {
    expect(press(two, 'a', now).board.entry).toMatchObject({ request: 7 });
    const second = type(two, now, ']');
    expect(press(second, 'a', now).board.entry).toMatchObject({ request: 8 });
    expect(press(second, 'x', now).board.entry).toMatchObject({ request: 8 });
    expect(press(type(second, now, ']'), 'a', now).board.entry).toMatchObject({ request: 7 });
    expect(press(type(two, now, '['), 'a', now).board.entry).toMatchObject({ request: 8 });
    expect(type(two, now, 'j', ']').notice).toBe('The session has no other open request.');
    const gone = withChanges(second, [held('first', 1, [open(7)])], now);
    expect(press(gone, 'a', now).board.entry).toMatchObject({ request: 7 });
  });

  test('is shown in full, followed by the others', () => {
    const [session] = two.sessions.values();
    const second = type(two, now, ']');
    expect(sessionToLoad(second, now)).toBe('first');
    expect(detailLines(second, session as Session, 60)).toContain('Loading …');
    const text = detailLines(withRequests(second, inputs), session as Session, 60).join('\n');
    expect(text).toMatch(
      /^Request 2 of 2\. \[ and \] show the others\.\nIt asks to use Bash:\n\n {2}npm test\n/,
    );
    expect(text).toContain('1 more open request:\n  7  Bash: command 7');
  });

  test('can be answered without a hold, and nothing is opened without a request', () => {
    const notices = (requests: OpenRequest[]) => {
      const board = withSnapshot(emptyBoard, [held('one', 1, requests)], now);
      return ['a', 'x']
        .map(key => press(board, key, now).board)
        .map(({ notice, entry }) => notice ?? entry?.kind);
    };
    expect(notices([])).toEqual(['The session has no open request.', 'The session has no open request.']);
    expect(notices([open(1, { until: null })])).toEqual(['answer', 'answer']);
  });
});

describe('what the user saw', () => {
  const shown = withPaint(two, now, seen);

  test('is what a key acts on, also when updates are not painted yet', () => {
    const news = withChanges(shown, [held('older', 0, [open(3)])], now);
    expect(press(news, 's', now).command).toEqual({ kind: 'skip', id: 'first' });
    expect(press(news, 'enter', now).command).toEqual({ kind: 'go', id: 'first' });
    expect(press(news, 'a', now).board.entry).toMatchObject({ id: 'first', request: 7 });
  });

  test('is not a session that has just moved under the cursor', () => {
    const news = withPaint(withChanges(shown, [held('older', 0, [open(3)])], now), now, seen);
    for (const key of ['s', 'd', 'enter', 'l', 'a', 'x', 'z', 'R']) {
      const { board, command } = press(news, key, now + boardLimits.rowSettle - 1);
      expect([key, command, board.entry, board.notice]).toEqual([
        key,
        null,
        null,
        'The selected session has just changed. Press the key again.',
      ]);
    }
    expect(press(news, 's', now + boardLimits.rowSettle).command).toEqual({ kind: 'skip', id: 'older' });
    // A session that the user selected is meant.
    expect(press(type(news, now, 'j'), 's', now).command).toEqual({ kind: 'skip', id: 'first' });
  });

  test('is gone with its session, and no other takes its place', () => {
    const gone = withSnapshot(shown, [held('second', 2, [open(9)])], now);
    expect(press(gone, 'd', now)).toMatchObject({ command: null, board: { notice: expect.any(String) } });
  });

  test('is what is snoozed, and only for the wait that was seen', () => {
    const opened = type(shown, now, 'z');
    const news = withPaint(withChanges(opened, [held('older', 0, [open(3)])], now), now, seen);
    expect(press(news, 'enter', now).command).toEqual({ kind: 'snooze', id: 'first', seconds: 600 });
    const went = withChanges(news, [aSession({ id: 'first', state: 'working', since: 9 })], now);
    expect(went).toMatchObject({ entry: null, notice: 'first in shop is no longer waiting.' });
    expect(press(went, 'enter', now).command).toBeNull();
    const again = withChanges(news, [held('first', 9, [open(11)])], now);
    expect(again.entry).toBeNull();
  });
});
