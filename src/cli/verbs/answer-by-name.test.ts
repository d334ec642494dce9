/** An answer to a session that is named by its title: the question shows a request, and no other one is answered. */
import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Session } from '../../contract/session.ts';
import { tempHome } from '../../testing/home.ts';
import { aSession } from '../../testing/session.ts';
import { answerVerbs } from '../table/answer.ts';
import type { Call } from '../verb.ts';
import { run } from './answer.ts';

const person = vi.hoisted(() => ({ asked: [] as string[], chooses: 0, beforeYes: () => {} }));

vi.mock('../output/question.ts', () => ({
  canAsk: () => true,
  choice: (_: string, options: string[]) => Promise.resolve(options[person.chooses]),
  confirmAction: (question: string) => {
    person.asked.push(question);
    person.beforeYes();
    return Promise.resolve(true);
  },
}));

const request = (id: number, line: string) => ({
  id,
  kind: 'permission' as const,
  tool: 'Bash',
  agent: null,
  line,
  at: 1,
  until: null,
});

const shop = (digit: number, ...requests: Session['requests']): Session =>
  aSession({
    id: `${String(digit).repeat(8)}-0000-4000-8000-000000000001`,
    title: 'Shop',
    titleFrom: 'person',
    state: 'waiting',
    reason: 'permission',
    requests,
    detail: { ...aSession().detail, line: requests[0]?.line ?? '' } as Session['detail'],
  });

const answered = { tool: null, line: '', behavior: 'allow', choice: 'allow' };

/** A daemon with these sessions, which may change; and `drover answer Shop allow`. */
const setUp = async (...sessions: Session[]) => {
  const paths = tempHome();
  const answers: unknown[] = [];
  const server = createServer((incoming, response) => {
    let body = '';
    incoming.on('data', chunk => (body += String(chunk)));
    incoming.on('end', () => {
      const [, , id, what, seq] = (incoming.url ?? '').split(/[/?]/);
      const found = sessions.find(one => one.id === id);
      if (what === 'answer') answers.push([id, JSON.parse(body)]);
      const page = found?.requests.find(one => String(one.id) === seq);
      const read = seq === undefined ? found : { ...page, input: {}, way: 'hook', choices: [] };
      response.end(JSON.stringify((what === 'answer' ? answered : read) ?? { sessions }));
    });
  });
  await new Promise<void>(done => server.listen(paths.socket, done));
  onTestFinished(() => void server.close());
  Object.assign(person, { asked: [], chooses: 0, beforeYes: () => {} });
  const answer = (options: Call['options'] = {}) =>
    run({
      verb: answerVerbs[0],
      args: ['Shop', 'allow'],
      options,
      rest: [],
      env: {},
      paths,
      cwd: '/',
      tty: true,
      out: () => {},
      err: () => {},
    } as unknown as Call);
  return { sessions, answers, answer };
};

test('the question shows the request, and the answer names it', async () => {
  const { answers, answer } = await setUp(shop(1, request(7, 'Bash: ls')));
  await answer();
  expect(person.asked).toEqual([expect.stringMatching(/^Answer allow to 11111111 .*: Bash: ls\?$/)]);
  expect(answers).toMatchObject([[shop(1).id, { id: 7, behavior: 'allow' }]]);
});

test('a request that comes while the person reads the question is not answered', async () => {
  const { sessions, answers, answer } = await setUp(shop(1, request(7, 'Bash: ls')));
  person.beforeYes = () => void (sessions[0] = shop(1, request(8, 'Bash: rm -r /')));
  await answer();
  expect(answers).toMatchObject([[shop(1).id, { id: 7 }]]);
});

test('with --id the question shows that request', async () => {
  const { answer } = await setUp(shop(1, request(7, 'Bash: ls'), request(8, 'Bash: rm -r /')));
  await answer({ id: '8' });
  expect(person.asked).toEqual([expect.stringContaining(': Bash: rm -r /?')]);
});

test('of several sessions with the name, the chosen one is shown with its request too', async () => {
  const { answer, answers } = await setUp(shop(1, request(7, 'Bash: ls')), shop(2, request(8, 'Bash: pwd')));
  person.chooses = 1;
  await answer();
  expect(person.asked).toEqual([expect.stringContaining(': Bash: pwd?')]);
  expect(answers).toMatchObject([[shop(2).id, { id: 8 }]]);
});

test('a program is told the whole command with the id of the session', async () => {
  const { answer, answers } = await setUp(shop(1, request(7, 'Bash: ls')));
  await expect(answer({ id: '7', message: 'not now', json: true })).rejects.toMatchObject({
    code: 'ambiguous',
    hint: "Name the session by its id: `drover answer 11111111 allow --id 7 --message 'not now' --json`.",
  });
  expect([person.asked, answers]).toEqual([[], []]);
});
