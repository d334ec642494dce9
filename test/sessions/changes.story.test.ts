/** Two sessions in one checkout: each has its own diff, both are marked, and a shell command's file is inferred. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Changes } from '../../src/contract/changes.ts';
import type { Session } from '../../src/contract/session.ts';
import { edges } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { screenOf } from '../rig/screen.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const changesOf = async ({ drover }: World, id: string, ...flags: string[]): Promise<Changes> =>
  JSON.parse((await drover('changes', id, '--json', ...flags)).stdout) as Changes;

type InPane = (pane: string, what: string, fits: (session: Session) => boolean) => Promise<Session>;

/** Awaits the session in a pane that fits. */
const inPaneOf =
  ({ url, token }: { url: string; token: string }): InPane =>
  (pane, what, fits) => {
    let seen = '';
    return until(
      30_000,
      () => `${what}: ${seen}`,
      async () => {
        const answer = await fetch(new URL('/sessions?live=1', url), {
          headers: { authorization: `Bearer ${token}` },
        });
        const { sessions } = (await answer.json()) as { sessions: Session[] };
        const found = sessions.find(session => session.pane?.id === pane);
        seen = JSON.stringify([found?.state, found?.reason, found?.changes, found?.collisions]);
        return found && fits(found) ? found : undefined;
      },
    );
  };

describe.each(edges)('Claude Code %s', version => {
  test('two sessions that edit one file have their own diffs and are marked; a file of a command is inferred', async () => {
    const opened = await world({ version, settings: { permissions: { allow: ['Bash', 'Edit', 'Write'] } } });
    const { claude, daemon, drover, run, dir } = opened;
    const shared = join(dir('project'), 'shared.txt');
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args]);
    await git('init', '-q', '-b', 'trunk');
    await writeFile(shared, 'alpha\nbeta\n');
    await git('add', '.');
    await git('commit', '-q', '-m', 'first');
    await drover('setup');
    const inPane = inPaneOf(await daemon());
    const edit = (before: string, after: string) =>
      `TOOL Edit ${JSON.stringify({ file_path: shared, old_string: before, new_string: after })}`;

    const one = await claude({ prompt: `READ ${shared}`, name: 'one' });
    const idle = ({ state, reason }: Session) => state === 'waiting' && reason === 'stopped';
    await inPane(one.pane, 'the first session has not read', idle);
    await one.type(edit('alpha', 'ALPHA'));
    const first = await inPane(
      one.pane,
      'no change of the first session',
      session => idle(session) && session.changes?.added === 1,
    );
    expect(first.changes).toEqual({ files: 1, added: 1, removed: 1 });
    expect(first.collisions).toEqual([]);

    const two = await claude({ prompt: `READ ${shared}`, name: 'two' });
    await inPane(two.pane, 'the second session has not read', idle);
    await two.type(edit('beta', 'BETA'));
    const second = await inPane(
      two.pane,
      'no collision of the second session',
      session => idle(session) && session.changes?.added === 1 && session.collisions.length === 1,
    );
    expect(second.collisions).toMatchObject([{ path: shared, sessionId: first.id }]);
    const marked = await inPane(one.pane, 'no collision', session => session.collisions.length === 1);
    expect(marked.collisions).toMatchObject([{ path: shared, sessionId: second.id }]);
    expect((await drover('ls')).stdout).toContain('collision: shared.txt');
    expect(await readFile(shared, 'utf8')).toBe('ALPHA\nBETA\n');

    await two.type('RUN echo made > made.txt');
    await inPane(two.pane, 'nothing was inferred', session => session.changes?.files === 2);
    const own = await changesOf(opened, second.id, '--diff');
    expect(own.files.map(({ name, isInferred }) => [name, isInferred]).sort()).toEqual([
      ['made.txt', true],
      ['shared.txt', false],
    ]);
    expect(own.turns.map(({ changes }) => changes.map(({ tool }) => tool))).toEqual([['Edit'], ['shell']]);
    const patch = own.turns[0]?.changes[0]?.patch ?? '';
    expect(patch).toContain('-beta\n+BETA');
    expect(patch).not.toContain('+ALPHA');
    const other = (await drover('changes', first.id, '--diff')).stdout;
    expect(other).toContain('-alpha\n+ALPHA');
    expect(other).not.toContain('+BETA');
    const tree = await changesOf(opened, first.id, '--git', '--diff');
    expect(tree.git?.diff).toContain('+ALPHA\n+BETA');
    expect(tree.git?.files).toContainEqual({ status: '??', path: 'made.txt' });

    const board = await screenOf(opened, [process.execPath, MAIN], { columns: 200, rows: 40 });
    await board.sees(/drover 2 waiting[\s\S]*collision: shared\.txt/);
    await board.press('f');
    await board.sees(/Changes of [\s\S]*Collision: .*shared\.txt[\s\S]*\+(?:ALPHA|BETA)/);
    await board.press('Escape');
    await board.misses('Changes of');
  });
});
