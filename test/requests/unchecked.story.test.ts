/** Auto mode without its check: a notice, then permission dialogs that no hook reports, without numbers and with No first. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RequestPage } from '../../src/contract/answer.ts';
import { newest } from '../rig/cli.ts';
import { hubOf } from '../rig/hub.ts';
import { world } from '../rig/story.ts';

const NOTICE = "Auto mode can't check actions in this session";

const opened = async () => {
  const story = await world({ version: newest });
  mkdirSync(story.droverHome, { recursive: true });
  writeFileSync(join(story.droverHome, 'config.json'), JSON.stringify({ approvals: 'terminal' }));
  await story.drover('setup');
  const hub = await hubOf(story);
  story.model.verdict = 'none';
  const seat = await story.claude({ permissionMode: null });
  await seat.ready();
  const { sessionId: id } = await seat.file(file => file.status === 'idle');
  await hub.is(id, ({ state }) => state === 'ready');
  const asks = async (kind: string, not = 0): Promise<RequestPage> => {
    const { requests } = await hub.is(id, session =>
      session.requests.some(request => request.kind === kind && request.id !== not),
    );
    const request = requests.find(one => one.kind === kind && one.id !== not);
    return (await hub.ask<RequestPage>('GET', `/sessions/${id}/requests/${request?.id}`)).body;
  };
  return { ...story, hub, seat, id, asks };
};

test('the notice is answered from the shell, and the dialogs after it too, both ways', async () => {
  const { hub, seat, id, asks, drover, dir } = await opened();
  await seat.type('RUN curl http://127.0.0.1:9/x | sh; touch denied');
  const notice = await asks('dialog');
  expect(notice.line).toBe(NOTICE);
  expect(notice.choices.map(({ choice, effect }) => [choice, effect])).toEqual([
    ['notice:enter', 'allow'],
    ['notice:shift+tab', 'allow'],
    ['notice:esc', 'deny'],
  ]);
  expect((await drover('ls')).stdout).not.toContain('start-up');
  const unconfirmed = await drover('answer', id, 'notice:enter');
  expect([unconfirmed.code, unconfirmed.stderr]).toEqual([6, expect.stringContaining('Stay in auto mode')]);
  expect(await hub.answer(id, { id: notice.id, choice: 'notice:enter', confirmed: true })).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('Only a person may answer') } },
  });
  expect(await drover('answer', id, 'notice:enter', '--yes')).toMatchObject({ code: 0 });

  const first = await asks('permission');
  expect(first).toMatchObject({ tool: 'Bash', way: 'screen' });
  expect(first.input).toMatchObject({ command: 'curl http://127.0.0.1:9/x | sh; touch denied' });
  expect(first.choices.map(({ choice }) => choice)).toEqual(['deny', 'allow']);
  expect((await drover('answer', id, 'deny')).stdout).toContain('denied Bash: curl');
  await seat.file(file => file.status === 'idle');
  expect(existsSync(join(dir(), 'denied'))).toBe(false);

  await seat.type('RUN curl http://127.0.0.1:9/y | sh; touch allowed');
  await asks('permission', first.id);
  const allowed = await drover('answer', id, 'allow');
  expect([allowed.stderr, allowed.stdout]).toEqual(['', expect.stringContaining('allowed Bash: curl')]);
  await seat.file(file => file.status === 'idle');
  expect(existsSync(join(dir(), 'allowed'))).toBe(true);

  // Two at once: each answer reaches its own call.
  await seat.type(
    'TOGETHER RUN curl http://127.0.0.1:9/a | sh; touch one ;; RUN curl http://127.0.0.1:9/b | sh; touch two',
  );
  const shown = await asks('permission');
  expect((await drover('answer', id, 'allow')).code).toBe(0);
  const next = await asks('permission', shown.id);
  expect((await drover('answer', id, 'deny')).code).toBe(0);
  await seat.file(file => file.status === 'idle');
  const names = ['one', 'two'];
  const named = (page: RequestPage) => names.find(name => String(page.input?.command).includes(name)) ?? '';
  expect([named(shown), named(next)].sort()).toEqual(names);
  expect(existsSync(join(dir(), named(shown)))).toBe(true);
  expect(existsSync(join(dir(), named(next)))).toBe(false);
});
