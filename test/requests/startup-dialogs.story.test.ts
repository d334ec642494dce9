/** The dialogs that Claude Code shows before its prompt line, answered by a person through Drover. */
import { mkdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RequestPage } from '../../src/contract/answer.ts';
import type { SessionList } from '../../src/contract/api.ts';
import { shortId } from '../../src/contract/short-id.ts';
import { versions } from '../rig/cli.ts';
import { hubOf } from '../rig/hub.ts';
import { world } from '../rig/story.ts';
import type { Seat } from '../rig/tmux.ts';
import { until } from '../rig/within.ts';

describe.each(versions)('Claude Code %s', version => {
  test('API key, bypass mode, damaged settings and theme: each is explained, confirmed and answered', async () => {
    const story = await world({ version, projects: ['project', 'damaged'] });
    await story.drover('setup');
    const hub = await hubOf(story);

    /** Answers the dialog of a seat with the option of this label, after its effect was read. */
    const answered = async (seat: Seat, text: string, option: RegExp, effect: string): Promise<void> => {
      await seat.sees(text);
      const session = await until(
        10_000,
        () => `no dialog is known of ${text}`,
        async () => {
          const { body } = await hub.ask<SessionList>('GET', '/sessions?live=1');
          return body.sessions.find(
            ({ reason, requests, pane }) =>
              reason === 'dialog' && requests.length === 1 && pane?.id === seat.pane,
          );
        },
      );
      const [request] = session.requests;
      const { body } = await hub.ask<RequestPage>('GET', `/sessions/${session.id}/requests/${request?.id}`);
      const wanted = body.choices.find(({ label }) => option.test(label));
      expect([text, body.way, wanted?.confirm]).toEqual([text, 'screen', expect.stringContaining(effect)]);
      const unconfirmed = await story.drover('answer', shortId(session.id), String(wanted?.choice));
      expect([unconfirmed.code, unconfirmed.stderr]).toEqual([6, expect.stringContaining(effect)]);
      expect(await seat.screen()).toContain(text);
      expect(
        await story.drover('answer', shortId(session.id), String(wanted?.choice), '--yes'),
      ).toMatchObject({
        code: 0,
      });
    };

    const key = await story.claude({ env: { ANTHROPIC_API_KEY: 'sk-ant-another-test' } });
    await answered(key, 'Detected a custom API key', /^Yes/, 'billed to that key');
    await key.ready();

    const bypass = await story.claude({
      args: ['--dangerously-skip-permissions'],
      permissionMode: null,
      env: { IS_SANDBOX: '1' },
    });
    await answered(bypass, 'Bypass Permissions mode', /^Yes/, 'without asking for approval');
    await bypass.ready();

    mkdirSync(join(story.dir('damaged'), '.claude'));
    await writeFile(join(story.dir('damaged'), '.claude', 'settings.json'), '{ "permissions": ');
    const damaged = await story.claude({ dir: story.dir('damaged') });
    await answered(damaged, 'Settings Error', /^Continue/, 'without the settings of the invalid file');
    await damaged.ready();

    const file = join(story.home, '.claude.json');
    const { hasCompletedOnboarding, theme: _, ...rest } = JSON.parse(await readFile(file, 'utf8'));
    expect(hasCompletedOnboarding).toBe(true);
    await writeFile(file, JSON.stringify(rest));
    const themed = await story.claude();
    await answered(themed, 'Choose the text style', /^Light mode$/, 'the theme “Light mode”');
    await themed.sees('Security notes');
    // 2.1.325 keeps the theme among the settings.
    const settings = join(story.home, '.claude', 'settings.json');
    const kept = await Promise.all([file, settings].map(path => readFile(path, 'utf8')));
    expect(kept.join('\n')).toMatch(/"theme": ?"light"/);
  });
});

test('the dialog about the fullscreen renderer, which no hook announces, is answered too', async () => {
  const story = await world({ version: '2.1.325', renderer: 'ask' });
  await story.drover('setup');
  const hub = await hubOf(story);
  const seat = await story.claude();
  await seat.sees('Try the new fullscreen renderer?');
  const { sessionId: id } = await seat.file(({ waitingFor }) => waitingFor === 'dialog open');
  const { requests } = await hub.is(id, session => session.requests.length === 1, 20_000);
  expect(requests).toMatchObject([{ kind: 'dialog', line: 'try the fullscreen renderer?' }]);
  const listed = await story.drover('answer', id);
  expect(listed.stdout).toContain('startup:2  Not now: Claude Code will keep its current renderer.');
  const answered = await story.drover('answer', id, 'startup:2', '--yes');
  expect(answered).toMatchObject({ code: 0, stdout: 'answered try the fullscreen renderer?\n' });
  await seat.ready();
  await hub.is(id, ({ state, requests: open }) => state === 'ready' && open.length === 0);
});
