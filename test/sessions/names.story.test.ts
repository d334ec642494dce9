/** Titles, branches and tags of real sessions, and sessions that are parked and come back. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import type { Session } from '../../src/contract/session.ts';
import { processStart } from '../../src/platform/processes.ts';
import { edges } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { commandLine } from '../rig/process.ts';
import { world } from '../rig/story.ts';
import { terminalIn } from '../rig/terminal.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const listed = async ({ drover }: World, ...filter: string[]): Promise<Session[]> =>
  (JSON.parse((await drover('ls', '--json', ...filter)).stdout) as { sessions: Session[] }).sessions;

/** Awaits the one session that fits. */
const one = (
  opened: World,
  what: string,
  fits: (session: Session) => boolean,
  ms = 10_000,
): Promise<Session> => {
  let seen = '';
  return until(
    ms,
    () => `${what}: ${seen}`,
    async () => {
      const sessions = await listed(opened);
      seen = JSON.stringify(
        sessions.map(({ title, branch, state, reason, id }) => [id, title, branch, state, reason]),
      );
      return sessions.find(fits);
    },
  );
};

const repository = async (opened: World): Promise<void> => {
  const git = (...args: string[]) =>
    opened.run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args]);
  await git('init', '-q', '-b', 'trunk');
  await git('commit', '-q', '--allow-empty', '-m', 'first');
};

describe.each(edges)('Claude Code %s', version => {
  test('a session is found by the name that a person gives it in Claude Code, and by its branch', async () => {
    const opened = await world({ version });
    const { claude, daemon, drover, tmux } = opened;
    await repository(opened);
    await drover('setup');
    await daemon();
    const seat = await claude({ prompt: 'SAY hello there (titled)' });
    const linked = await claude({ prompt: 'SAY inside', args: ['--worktree', 'feat'] });
    await seat.sees('● hello there');
    // 2.1.325 writes no generated title for the scripted model.
    const title = version === '2.1.197' ? ['A story', 'claude'] : ['project', 'project'];
    const first = await one(
      opened,
      'no session on trunk',
      session => session.branch === 'trunk' && session.title === title[0],
    );
    expect([first.title, first.titleFrom, first.worktree]).toEqual([...title, false]);
    await linked.sees('● inside');
    const other = await one(opened, 'no worktree', session => session.worktree);
    expect([other.branch, other.id === first.id]).toEqual(['worktree-feat', false]);

    await seat.type('/rename Payments work');
    const named = await one(
      opened,
      'not renamed',
      ({ title, memoryBytes }) => title === 'Payments work' && memoryBytes !== null,
    );
    expect([named.id, named.titleFrom]).toEqual([first.id, 'person']);
    expect(named.memoryBytes).toBeGreaterThan(50_000_000);
    const label = () => tmux(['show-options', '-pqv', '-t', seat.pane, '@drover_label']);
    await until(
      5_000,
      () => 'no label',
      async () => ((await label()).trim() === 'Payments work' ? true : undefined),
    );
    expect((await drover('show', 'paym')).stdout).toContain(`session   ${first.id}`);
    expect((await drover('show', 'worktree-feat')).stdout).toContain('branch    worktree-feat (worktree)');
    const both = await drover('show', 'e');
    expect([both.code, both.stderr]).toEqual([5, expect.stringContaining('2 sessions match "e"')]);
    const stop = await drover('stop', 'payments');
    expect([stop.code, stop.stderr]).toEqual([
      5,
      expect.stringContaining(`drover stop ${shortId(first.id)}`),
    ]);

    await drover('tag', 'payments', 'urgent', 'client-a');
    expect((await listed(opened, 'tag:urgent')).map(({ id }) => id)).toEqual([first.id]);
    // Claude Code keeps its name after /clear, Drover its tags.
    await seat.type('/clear');
    const cleared = await one(
      opened,
      'not cleared',
      ({ id, title }) => id !== first.id && title === 'Payments work',
    );
    expect(cleared.tags).toEqual(['client-a', 'urgent']);
    expect((await drover('rename', 'payments', 'Billing')).stdout).toContain('is now "Billing"');
    expect((await one(opened, 'no Billing', session => session.title === 'Billing')).id).toBe(cleared.id);
  });

  test('an idle session is parked with nothing lost, and a message brings it back', async () => {
    const opened = await world({ version });
    const { claude, daemon, drover, tmux } = opened;
    await drover('setup');
    const { stop } = await daemon();
    const seat = await claude({ prompt: 'SAY one', inShell: true, name: 'work' });
    await seat.sees('one');
    const { id } = await one(
      opened,
      'not idle',
      ({ state, reason }) => state === 'waiting' && reason === 'stopped',
    );
    const park = async () => {
      const { code, stdout, stderr } = await drover('park', id);
      return [code, `${stdout}${stderr}`];
    };
    await tmux(['send-keys', '-t', seat.pane, '-l', 'half a thought']);
    await seat.sees('half a thought');
    expect(await park()).toEqual([6, expect.stringContaining('there is a draft in its prompt line')]);
    await seat.press('C-u');
    await seat.type('RUN touch made');
    await seat.asks('Do you want to proceed?');
    await one(opened, 'does not ask', ({ reason }) => reason === 'permission');
    expect(await park()).toEqual([6, expect.stringContaining('a dialog is open (needs approval)')]);
    await seat.press('Escape');
    const { pid } = await one(opened, 'not interrupted', ({ reason }) => reason === 'interrupted');
    await seat.ready();
    await drover('drive', id);

    expect(await park()).toEqual([0, expect.stringContaining('Parked')]);
    expect(processStart(pid ?? 0)).toBeNull();
    expect(await one(opened, 'not listed', session => session.id === id)).toMatchObject({
      state: 'ended',
      parked: true,
      memoryBytes: null,
    });
    expect((await drover('ls')).stdout).toContain('parked');
    expect((await drover('next')).code).toBe(1);

    const sent = await drover('send', id, 'SAY back again', '--wait', 'answered');
    expect([sent.code, sent.stdout, sent.stderr]).toEqual([0, 'back again\n', '']);
    // The names of its tmux session and window are read a moment later.
    const back = await one(
      opened,
      'not back in its tmux session',
      session => session.id === id && session.pane?.session === 'work',
    );
    expect(back).toMatchObject({
      cwd: opened.dir(),
      managed: false,
      driven: true,
      parked: false,
    });
    const words = commandLine(back.pid ?? 0).split(' ');
    expect(words).toEqual(expect.arrayContaining(['--resume', id, '--permission-mode', 'default']));

    // Parked after an idle time, unless somebody looks at it. Enter on its row of the board resumes it.
    await stop();
    await writeFile(join(opened.droverHome, 'config.json'), '{"park":{"idleHours":0.001}}');
    await daemon();
    await one(opened, 'not parked', session => session.id === id && session.parked, 30_000);
    expect(processStart(back.pid ?? 0)).toBeNull();
    const board = ['-s', 'desk', '-x', '160', '-y', '40', process.execPath, MAIN];
    await tmux(['new-session', '-d', ...board]);
    const person = await terminalIn(opened, 'desk');
    await person.sees(/^> .*parked/m);
    await person.press('Enter');
    await one(opened, 'not started', session => session.id === id && !session.parked, 30_000);
    const shown = await until(
      30_000,
      () => 'the client does not show it',
      async () => {
        const pane = await person.pane();
        return (await listed(opened)).find(session => session.id === id && session.pane?.id === pane);
      },
    );
    expect(shown).toMatchObject({ cwd: opened.dir(), driven: true, parked: false });
  });
});
