/** What an answer carries is text: never keys, and never a prompt for which the caller lacks the right. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import { type Version, versions } from '../rig/cli.ts';
import { hubOf } from '../rig/hub.ts';
import { world } from '../rig/story.ts';

const PERMISSION = 'Do you want to proceed?';

/** A session of the user's own, whose requests are answered in its terminal; and a token that may answer. */
const opened = async (version: Version, config: object = {}) => {
  const story = await world({ version });
  await story.drover('setup');
  mkdirSync(story.droverHome, { recursive: true });
  writeFileSync(join(story.droverHome, 'config.json'), JSON.stringify({ approvals: 'terminal', ...config }));
  const hub = await hubOf(story);
  const seat = await story.claude();
  await seat.ready();
  const { sessionId: id } = await seat.file(file => file.status === 'idle');
  await hub.is(id, ({ state }) => state === 'ready');
  const answerer = (await story.drover('token', 'add', 'answerer', '--scope', 'read,answer')).stdout.trim();
  return {
    ...story,
    hub,
    seat,
    id,
    answer: (body: object, path = 'answer') =>
      hub.ask('POST', `/sessions/${id}/${path}`, body, { Authorization: `Bearer ${answerer}` }),
  };
};

describe.each(versions)('Claude Code %s', version => {
  test('control characters are refused in every text of an answer, and a deny message needs the right to drive', async () => {
    const { seat, hub, id, answer, dir, drover, model } = await opened(version, { drive: 'none' });
    await seat.type('RUN touch made');
    await hub.is(id, ({ requests }) => requests.length === 1);
    await seat.asks(PERMISSION);
    const before = await seat.screen();
    for (const text of ['x\u007f!touch PWNED\u001b[13u', '\u001b[Z', 'a\u0003', 'a\u009b13u', 'a\u0000']) {
      expect(await answer({ behavior: 'deny', message: text })).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request' } },
      });
      for (const body of [{ answers: { q: text } }, { answers: { q: ['a', text] } }]) {
        expect((await answer(body)).status).toBe(400);
        expect((await answer(body, 'ask')).status).toBe(400);
      }
      expect((await answer({ choice: 'accept', values: { name: text } })).status).toBe(400);
      expect((await answer({ choice: 'accept', values: { name: [text] } })).status).toBe(400);
    }
    expect(await answer({ behavior: 'deny', message: '!touch PWNED' })).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('may not be driven') } },
    });
    expect(await seat.screen()).toBe(before);
    // Without a message it is no prompt, and a person needs no right.
    expect((await drover('answer', id, 'deny', '-m', '!touch PWNED')).stdout).toContain('denied Bash');
    await model.asked(({ prompt }) => prompt?.includes('!touch PWNED') === true);
    await seat.file(file => file.status === 'idle');
    for (const name of ['made', 'PWNED']) expect(existsSync(join(dir(), name))).toBe(false);
  });

  test('with synchronize-panes an answer, a message and an interrupt reach their own session only', async () => {
    const { seat, hub, id, drover, tmux, dir } = await opened(version, { drive: 'all' });
    await tmux(['split-window', '-d', '-t', seat.pane, '-c', dir(), 'stty raw -echo; exec cat -u > beside']);
    await tmux(['set-option', '-w', '-t', seat.pane, 'synchronize-panes', 'on']);
    expect((await drover('send', id, 'RUN f=a; touch "made${f##*/}" #[x] #{y}')).stderr).toBe('');
    await hub.is(id, ({ requests }) => requests.length === 1);
    await seat.asks(PERMISSION);
    const answered = await drover('answer', shortId(id), 'allow');
    expect([answered.stdout, answered.stderr]).toEqual([expect.stringContaining('allowed Bash'), '']);
    await seat.file(file => file.status === 'idle');
    expect(existsSync(join(dir(), 'madea'))).toBe(true);
    await drover('send', id, 'SLEEP 60000 SAY late', '--wait', 'typed');
    await hub.is(id, ({ state }) => state === 'working');
    expect((await drover('interrupt', id)).code).toBe(0);
    expect(readFileSync(join(dir(), 'beside'), 'utf8')).toBe('');
  });
});
