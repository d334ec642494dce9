/** What the end of a turn means to the person, on the real CLI: it asks, it is done, or it stopped early. */
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Queue } from '../../src/contract/queue.ts';
import type { Outcome, Session } from '../../src/contract/session.ts';
import { versions } from '../rig/cli.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

/** Awaits the outcome of the only session whose last message fits. */
const outcomeIn = (here: World, fits: (outcome: Outcome, session: Session) => boolean): Promise<Session> => {
  let last = '';
  return until(
    15_000,
    () => `the session is ${last}`,
    async () => {
      const { sessions } = JSON.parse((await here.drover('ls', '--json')).stdout) as { sessions: Session[] };
      last = JSON.stringify(sessions.map(({ state, reason, outcome }) => ({ state, reason, outcome })));
      return sessions.find(session => session.outcome !== null && fits(session.outcome, session));
    },
  );
};

describe.each(versions)('Claude Code %s', version => {
  test('a turn that ends with a question asks you on every surface, before one that is done', async () => {
    const here = await world({ version, projects: ['shop', 'blog'] });
    const { claude, daemon, drover, tmux, droverHome } = here;
    expect((await drover('setup', '--tmux')).code).toBe(0);
    const { url, token } = await daemon();
    await claude({ prompt: 'SAY All done.', dir: here.dir('blog') });
    await outcomeIn(here, ({ kind }) => kind === 'done');
    const seat = await claude({ prompt: 'SAY It is ready. Shall I push it?', dir: here.dir('shop') });
    const asking = await outcomeIn(here, ({ kind }) => kind === 'asks');
    expect(asking).toMatchObject({ state: 'waiting', reason: 'stopped' });
    expect(asking.outcome).toEqual({
      kind: 'asks',
      sentence: 'Shall I push it?',
      early: null,
      rule: 'question',
    });

    const listed = (await drover('ls')).stdout;
    expect(listed.indexOf('asks you')).toBeGreaterThan(-1);
    expect(listed.indexOf('asks you')).toBeLessThan(listed.indexOf('done'));
    expect(listed).toContain('Shall I push it?');
    expect((await drover('ls', 'state:asks')).stdout).not.toContain('blog');
    expect((await drover('show', asking.id)).stdout).toContain('asks      Shall I push it?');
    expect((await drover('explain', asking.id)).stdout).toContain(
      'asks: its last sentence is a question: Shall I push it?',
    );
    const options = await until(
      5_000,
      () => 'the pane has no state',
      async () => {
        const shown = await tmux([
          'display-message',
          '-p',
          '-t',
          seat.pane,
          '#{@drover_state}|#{@meta.claude.status}',
        ]);
        return shown.includes('asks you') ? shown.trim() : undefined;
      },
    );
    expect(options).toBe('asks you|stopped');

    // The order shows that the daemon has read the file.
    await writeFile(join(droverHome, 'config.json'), JSON.stringify({ asks: false, order: 'fifo' }));
    await until(
      10_000,
      () => 'the config is not read',
      async () => {
        const answer = await fetch(`${url}/queue`, { headers: { authorization: `Bearer ${token}` } });
        return ((await answer.json()) as Queue).order === 'fifo' || undefined;
      },
    );
    await seat.ready();
    await seat.type('SAY Again. Shall I push it?');
    const off = await outcomeIn(here, (outcome, { id }) => id === asking.id && outcome.rule === 'off');
    expect(off.outcome?.kind).toBe('done');
  });

  test.each([
    ['CUT max_tokens The list is: one, two', 'token_limit', 'token limit reached'],
    ['CUT refusal I cannot help with that', 'refusal', 'the model refused'],
  ])('%s stops early', async (prompt, early, says) => {
    const here = await world({ version });
    expect((await here.drover('setup')).code).toBe(0);
    await here.daemon();
    await here.claude({ prompt });
    const { id, reason } = await outcomeIn(here, outcome => outcome.early === early);
    expect(reason).toBe('failed');
    expect((await here.drover('ls')).stdout).toContain('stopped early');
    expect((await here.drover('show', id)).stdout).toContain(`stopped   ${says}`);
  });

  test('a turn that a Stop hook ends stops early, with the reason of the hook', async () => {
    const here = await world({ version });
    expect((await here.drover('setup')).code).toBe(0);
    const script = join(here.root, 'stop.sh');
    await writeFile(script, `#!/bin/sh\necho '{"continue":false,"stopReason":"the budget is used up"}'\n`);
    await chmod(script, 0o755);
    const path = join(here.home, '.claude', 'settings.json');
    const settings = JSON.parse(await readFile(path, 'utf8')) as { hooks: Record<string, unknown[]> };
    settings.hooks.Stop?.push({ hooks: [{ type: 'command', command: script }] });
    await writeFile(path, JSON.stringify(settings));
    await here.daemon();
    await here.claude({ prompt: 'SAY Shall I go on?' });
    const { outcome, id } = await outcomeIn(here, ({ kind }) => kind === 'stopped_early');
    expect(outcome).toEqual({
      kind: 'stopped_early',
      sentence: 'the budget is used up',
      early: 'stop_hook',
      rule: 'stop-hook',
    });
    expect((await here.drover('show', id)).stdout).toContain('stopped by a hook: the budget is used up');
  });
});
