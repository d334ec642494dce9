/** The reference corpus: what real sessions wrote leads to the recorded outcome. See test/reference/README.md. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { a, b, ownFiles, unpackHome } from './home.ts';
import { readCorpus } from './corpus.ts';
import { expectedReceipts, settledReceipts, startOver } from './receipts.ts';
import { renamed } from './renames.ts';
import type { Outcome } from './outcome.ts';
import { expectedOutcome, settledOutcome, startReplay } from './replay.ts';
import { headOf } from './spool.ts';
import { newest, playsAll } from '../rig/cli.ts';
import { hubOf } from '../rig/hub.ts';
import { awaitEmptySpool } from '../rig/log.ts';
import { world } from '../rig/story.ts';

/** The versions with a corpus. */
const recorded = playsAll ? ['2.1.197', '2.1.325'] : ['2.1.325'];

describe.each(recorded)('Claude Code %s', version => {
  test('the recorded spool leads to the recorded sessions, events, frames, tmux options and queue', async () => {
    const expected = expectedOutcome(version);
    const read = await startReplay(
      await world({ version, projects: ['project', 'other'], approvals: 'terminal' }),
    );
    const found = await settledOutcome(read, expected);
    // Part by part, so that a difference is reported for the smallest part.
    for (const part of Object.keys(expected) as (keyof typeof expected)[])
      expect({ [part]: onPlatform(found)[part] }).toEqual({ [part]: onPlatform(expected)[part] });
  });

  test('the corpus has more than 250 files of sessions that do all kinds of things', () => {
    const { files } = readCorpus(version);
    expect(files.length).toBeGreaterThan(250);
    const hooks = new Set(files.map(({ content }) => headOf(content).hook));
    expect([...hooks].toSorted()).toEqual(
      [
        'CwdChanged',
        'Elicitation',
        'ElicitationResult',
        'Notification',
        'PermissionRequest',
        'PostCompact',
        'PostToolBatch',
        'PostToolUse',
        'PostToolUseFailure',
        'PreCompact',
        'PreToolUse',
        'SessionEnd',
        'SessionStart',
        'Stop',
        'StopFailure',
        'SubagentStart',
        'SubagentStop',
        'UserPromptSubmit',
      ].toSorted(),
    );
  });
});

/** Without /proc nobody sees the environment of a process, so a session file does not tell its pane. */
const onPlatform = (outcome: Outcome): Outcome =>
  process.env.DROVER_PLATFORM === 'bsd'
    ? { ...outcome, others: outcome.others.map(withoutPane).toSorted(byText) }
    : outcome;

/** The recorded order depends on the pane. */
const byText = (one: unknown, other: unknown): number =>
  JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;

const withoutPane = (event: unknown): unknown => {
  const { source, context, ...rest } = event as { source: string; context: object };
  if (source !== 'file') return event;
  const known = Object.entries(context).filter(([name]) => !['pane', 'socket', 'serverPid'].includes(name));
  return { source, context: Object.fromEntries(known), ...rest };
};

describe('a daemon that was killed', () => {
  const expected = expectedReceipts();
  test.each(Object.keys(expected))(
    'left a message that is %s: the next one says what became of it',
    async status => {
      const read = await startOver(await world({ version: newest, approvals: 'terminal' }), status);
      expect(await settledReceipts(read, expected[status])).toEqual(expected[status]);
    },
  );
});

test('a home of 0.1.0 opens, its spool is read, and uninstalling restores every byte', async () => {
  const opened = await world({ version: newest, approvals: 'terminal' });
  await unpackHome(opened);
  const hub = await hubOf(opened);
  await awaitEmptySpool(opened);
  expect(await hub.read(a)).toMatchObject({ project: 'demo' });
  expect(await hub.read(b)).toMatchObject({ state: 'ended', reason: 'exit' });
  const { stdout } = await opened.drover('events', a, '--after', '0', '--json');
  expect(stdout).toContain('while no daemon ran');
  expect((await opened.drover('setup')).code).toBe(0);
  expect((await opened.drover('uninstall')).code).toBe(0);
  for (const [path, text] of Object.entries(ownFiles))
    expect(existsSync(join(opened.root, path)) && readFileSync(join(opened.root, path), 'utf8')).toBe(text);
});

test('what is renamed on purpose is expected under its new name, and hooks keep theirs', () => {
  const was = [
    { source: 'drover', name: 'Stop', hold: { since: 1 } },
    { source: 'hook', name: 'Stop', '@drover_label': 'x' },
  ];
  const table = [
    { kind: 'event', was: 'Stop', is: 'Ended', reason: 'an example' },
    { kind: 'field', was: 'hold', is: 'deferral', reason: 'an example' },
    { kind: 'option', was: '@drover_label', is: '@drover_project', reason: 'an example' },
  ] as const;
  expect(renamed(was, table)).toEqual([
    { source: 'drover', name: 'Ended', deferral: { since: 1 } },
    { source: 'hook', name: 'Stop', '@drover_project': 'x' },
  ]);
});
