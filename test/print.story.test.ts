/** One prompt, one answer: `drover print` beside `claude -p`, on the same prompts. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { versions } from './rig/cli.ts';
import { MAIN } from './rig/drover.ts';
import { leftBehind, startPrint } from './rig/print.ts';
import { world } from './rig/story.ts';
import { until } from './rig/within.ts';
import { witness } from './rig/witness.ts';
import type { World } from './rig/world.ts';

const print = (opened: World, args: string[], input = '', more: object = {}) =>
  startPrint(opened, args, { input, ...more }).ended;

const nothingIsLeft = async (opened: World) => {
  expect(leftBehind(opened)).toEqual([]);
  expect(await opened.processes()).toEqual([]);
};

const transcriptOf = (opened: World, sessionId: string): string =>
  readFileSync(
    join(
      opened.home,
      '.claude',
      'projects',
      opened.dir().replace(/[^a-zA-Z0-9]/g, '-'),
      `${sessionId}.jsonl`,
    ),
    'utf8',
  );

describe.each(versions)('Claude Code %s', version => {
  test('text, json and stream-json answer as `claude -p` does', async () => {
    const opened = await world({ version });
    for (const prompt of ['SAY Ünïcödé 日本 🎉\n  "two" lines', 'RUN echo hi']) {
      const [theirs, ours] = [await opened.headless({ prompt }), await print(opened, [prompt])];
      expect([prompt, ours]).toEqual([prompt, theirs]);
    }
    const theirs = JSON.parse(
      (await opened.headless({ prompt: 'RUN echo hi', args: ['--output-format', 'json'] })).stdout,
    );
    const { code, stdout, stderr } = await print(opened, ['RUN echo hi', '-o', 'json']);
    expect([code, stderr]).toEqual([0, '']);
    const ours = JSON.parse(stdout);
    expect(stdout).toBe(`${JSON.stringify(ours)}\n`);
    expect(Object.keys(ours)).toEqual(Object.keys(ours).sort());
    for (const same of ['type', 'subtype', 'is_error', 'num_turns', 'result', 'stop_reason'])
      expect([same, ours[same]]).toEqual([same, theirs[same]]);
    expect(ours).toMatchObject({
      claude_version: version,
      usage: { output_tokens: theirs.usage.output_tokens },
    });
    expect(transcriptOf(opened, ours.session_id)).toContain('"entrypoint":"cli"');

    const streamed = await print(opened, ['RUN echo hi', '-o', 'stream-json']);
    expect([streamed.code, streamed.stderr]).toEqual([0, '']);
    const { sessionId } = JSON.parse(streamed.stdout.split('\n')[0] ?? '') as { sessionId: string };
    expect(streamed.stdout).toBe(transcriptOf(opened, sessionId));
    await nothingIsLeft(opened);
  });

  test('what the assistant cannot do ends with 1, in each format where it belongs', async () => {
    const opened = await world({ version });
    const message = 'API Error: 400 The story asked for 400';
    const object = {
      claude_version: version,
      error_message: message,
      is_error: true,
      subtype: 'assistant_error',
      type: 'result',
    };
    const [theirs, text, json, streamed, turns, wrong] = await Promise.all([
      opened.headless({ prompt: 'FAIL' }),
      print(opened, ['FAIL']),
      print(opened, ['FAIL', '-o', 'json']),
      print(opened, ['FAIL', '-o', 'stream-json']),
      print(opened, ['RUN echo hi', '--max-turns', '1', '-o', 'json']),
      print(opened, ['SAY hi', '--', '--no-such-flag']),
    ]);
    expect([theirs.code, theirs.stdout]).toEqual([1, `${message}\n`]);
    expect(text).toEqual({ code: 1, stdout: '', stderr: `error: ${message}\n` });
    expect(json).toEqual({ code: 1, stdout: `${JSON.stringify(object)}\n`, stderr: '' });
    expect(streamed.code).toBe(1);
    expect(streamed.stdout.trimEnd().split('\n').at(-1)).toBe(JSON.stringify(object));
    expect([turns.code, JSON.parse(turns.stdout).subtype]).toEqual([1, 'error_max_turns']);
    expect([wrong.code, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toContain("unknown option '--no-such-flag'");
    await nothingIsLeft(opened);
  });

  test('a tool that needs permission: named and ended, allowed by flag, by a hook, by a person', async () => {
    const opened = await world({ version });
    const ask = ['RUN touch made', '--permission-mode', 'default'];
    const failed = await print(opened, ask);
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('asks about Bash') });
    expect(existsSync(join(opened.dir(), 'made'))).toBe(false);
    expect(await print(opened, [...ask, '--allowedTools', 'Bash(touch:*)'])).toMatchObject({
      code: 0,
      stdout: 'done\n',
    });
    const allow = {
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
    };
    const hooks = {
      PermissionRequest: [
        { hooks: [{ type: 'command', command: `sleep 0.3; echo '${JSON.stringify(allow)}'` }] },
      ],
    };
    const settings = ['--', '--settings', JSON.stringify({ hooks })];
    expect(await print(opened, ['RUN touch by-hook', ...ask.slice(1), ...settings])).toMatchObject({
      code: 0,
      stdout: 'done\n',
    });
    const waits = startPrint(opened, [
      'RUN touch by-hand',
      ...ask.slice(1),
      '--on-permission',
      'wait',
      '--timeout',
      '20',
    ]);
    const socket = join(await waits.dir(), 'tmux');
    const screen = () => opened.run('tmux', ['-S', socket, 'capture-pane', '-p']);
    await until(
      15_000,
      () => 'no dialog',
      async () => (/Do you want to/.test((await screen()).stdout) ? true : undefined),
    );
    await opened.run('tmux', ['-S', socket, 'send-keys', 'Enter']);
    expect(await waits.ended).toMatchObject({ code: 0, stdout: 'done\n' });
    await nothingIsLeft(opened);
  });

  test('a prompt from a pipe stands on no command line, and arrives as it is', async () => {
    const opened = await world({ version });
    const prompts = ['/nosuch\nSAY back \\', '!ls\nSAY at @project', '-x\nSAY dash'];
    for (const prompt of prompts) {
      const [first = '', said = ''] = prompt.split('\nSAY ');
      const answer = { code: 0, stdout: `${said}\n`, stderr: '' };
      expect([prompt, await print(opened, [], prompt)]).toEqual([prompt, answer]);
      await opened.model.asked(seen => seen.turn && seen.prompt?.trim() === prompt);
      // As an argument it would be a flag of ours.
      if (!first.startsWith('-')) expect(await print(opened, [prompt])).toEqual(answer);
    }
    const secret = startPrint(opened, [], { input: 'SLEEP 1500 SAY hush-hush' });
    await opened.model.asked(({ prompt }) => prompt?.includes('hush') ?? false);
    const { stdout } = await opened.run('ps', ['-A', '-o', 'args=']);
    expect(stdout).toContain('--settings=');
    expect(stdout).not.toContain('hush-hush');
    expect(await secret.ended).toMatchObject({ code: 0, stdout: 'hush-hush\n' });
    const large = 'x'.repeat(999_999);
    writeFileSync(join(opened.root, 'large'), `SAY ${large}`);
    expect((await print(opened, ['-f', join(opened.root, 'large'), 'SAY not this'])).stdout).toBe(
      `${large}\n`,
    );
    await nothingIsLeft(opened);
  });

  test('a prompt of 5 MB goes where `claude -p` lets it go', async () => {
    const opened = await world({ version });
    const input = `${'A line of filler, and no word of the script.\n'.repeat(116_000)}SAY small`;
    const theirs = await opened.run('claude', ['-p'], { input, ms: 50_000 });
    const ours = await print(opened, ['--timeout', '50'], input);
    expect(ours.code).toBe(theirs.code);
    if (theirs.code === 0) expect(ours.stdout).toBe(theirs.stdout);
    else expect(ours.stderr.trim()).toBe(`error: ${theirs.stdout.trim()}`);
    await nothingIsLeft(opened);
  });

  test('eight at once in one folder: each has its own answer', async () => {
    const opened = await world({ version });
    const runs = Array.from({ length: 8 }, (_, n) =>
      startPrint(opened, [`SLEEP ${(n % 3) * 200} SAY answer-${n}`, '-o', n % 2 ? 'json' : 'stream-json']),
    );
    const ended = await Promise.all(runs.map(run => run.ended));
    const ids = ended.map(({ code, stdout, stderr }, n) => {
      expect([code, stderr]).toEqual([0, '']);
      for (let other = 0; other < 8; other++)
        expect([n, other, stdout.includes(`answer-${other}`)]).toEqual([n, other, n === other]);
      return /"session_?[iI]d":"([^"]+)"/.exec(stdout)?.[1];
    });
    expect(new Set(ids).size).toBe(8);
    await nothingIsLeft(opened);
  });

  test("the user's hooks fire; a Stop that one of them blocks is not the end; --no-inherit-hooks leaves them out", async () => {
    const opened = await world({ version });
    const { events } = await witness(opened);
    const file = join(opened.home, '.claude', 'settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8')) as { hooks: Record<string, object[]> };
    // Once: what the model shall do next stands in a file.
    const next = join(opened.root, 'next');
    const command = `[ -e '${next}' ] && cat '${next}' && rm '${next}'; exit 0`;
    settings.hooks.Stop?.push({ hooks: [{ type: 'command', command }] });
    writeFileSync(file, JSON.stringify(settings));
    const goOn = (reason: string) => writeFileSync(next, JSON.stringify({ decision: 'block', reason }));

    goOn('SLEEP 700 SAY second');
    const { code, stdout } = await print(opened, ['SAY first', '-o', 'json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { result: 'second', num_turns: 2 }]);
    const names = events().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd']));
    expect(events().map(({ tmuxPane }) => tmuxPane ?? '')).toEqual(names.map(() => ''));
    goOn('SLEEP 700 FAIL');
    expect(await print(opened, ['SAY first'])).toMatchObject({ code: 1, stdout: '' });

    const before = events().length;
    expect(await print(opened, ['SAY alone', '--no-inherit-hooks'])).toMatchObject({
      code: 0,
      stdout: 'alone\n',
    });
    expect(events().length).toBe(before);
    await nothingIsLeft(opened);
  });

  test('Drover lists a run as headless, at no pane, and never as waiting', async () => {
    const opened = await world({ version });
    expect((await opened.drover('setup')).code).toBe(0);
    const daemon = await opened.daemon();
    const run = startPrint(opened, ['SLEEP 1500 SAY hi']);
    await opened.model.asked(({ prompt }) => prompt === 'SLEEP 1500 SAY hi');
    type Listed = { headless: boolean; pane: unknown; state: string };
    const list = async (...flags: string[]) =>
      JSON.parse((await opened.drover('ls', '--json', ...flags)).stdout) as { sessions: Listed[] };
    const session = await until(
      5_000,
      () => 'not listed',
      async () => (await list('--all')).sessions.find(({ state }) => state === 'working'),
    );
    expect(session).toMatchObject({ headless: true, pane: null });
    expect((await list()).sessions).toEqual([]);
    expect((await run.ended).stdout).toBe('hi\n');
    const { sessions } = JSON.parse((await opened.drover('status', '--json')).stdout);
    expect(sessions.waiting).toBe(0);
    await daemon.stop();
    await nothingIsLeft(opened);
  });

  test('a session is resumed, continued and streamed from where it was; lines come while it works', async () => {
    const opened = await world({ version });
    const id = '5eed0001-0000-4000-8000-000000000000';
    expect((await print(opened, ['SAY one', '--session-id', id])).stdout).toBe('one\n');
    const before = transcriptOf(opened, id);
    const live = startPrint(opened, ['LINGER 1200 RUN echo two', '--resume', id, '-o', 'stream-json']);
    await opened.model.asked(({ prompt }) => prompt?.startsWith('LINGER') ?? false);
    await until(
      10_000,
      () => `not live: ${live.said()}`,
      () => (live.said().includes('"tool_use"') ? true : undefined),
    );
    const early = live.said();
    const { code, stdout } = await live.ended;
    expect(code).toBe(0);
    expect(stdout.length).toBeGreaterThan(early.length);
    expect(stdout.startsWith(early)).toBe(true);
    expect(before + stdout).toBe(transcriptOf(opened, id));
    const again = JSON.parse((await print(opened, ['SAY three', '-c', '-o', 'json'])).stdout);
    expect(again).toMatchObject({ session_id: id, num_turns: 1, result: 'three' });
    await nothingIsLeft(opened);
  });

  test('the trust dialog is never answered by itself: --trust, --pretrust-cwd, or an error with the fix', async () => {
    const opened = await world({ version, renderer: 'ask' });
    const untrusted = (name: string) => {
      mkdirSync(join(opened.home, name));
      return { cwd: join(opened.home, name) };
    };
    const refused = await print(opened, ['SAY hi'], '', untrusted('a'));
    expect(refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/--trust .*--pretrust-cwd/),
    });
    expect(await print(opened, ['--trust'], 'SAY hi', untrusted('b'))).toMatchObject({
      code: 0,
      stdout: 'hi\n',
    });
    expect(await print(opened, ['SAY hi', '--pretrust-cwd'], '', untrusted('c'))).toMatchObject({
      code: 0,
      stdout: 'hi\n',
    });
    const { projects, hasCompletedOnboarding } = JSON.parse(
      readFileSync(join(opened.home, '.claude.json'), 'utf8'),
    );
    expect(hasCompletedOnboarding).toBe(true);
    expect(projects[join(opened.home, 'c')]).toMatchObject({ hasTrustDialogAccepted: true });
    expect(projects[join(opened.home, 'a')]?.hasTrustDialogAccepted ?? false).toBe(false);
    await nothingIsLeft(opened);
  });

  test('subagents and shells in the background: the last word counts, and no shell stays', async () => {
    const opened = await world({ version });
    const agent = await print(opened, [
      'AGENT SLEEP 600 SAY inner',
      '-o',
      'json',
      '--permission-mode',
      'default',
    ]);
    expect([agent.code, JSON.parse(agent.stdout).result]).toEqual([0, 'done']);
    expect(
      opened.model.requests.filter(({ step }) => step.sleep === 600).map(({ outcome }) => outcome),
    ).toEqual(['answered']);
    expect(await print(opened, ['BG sleep 40', '--allowedTools', 'Bash'])).toMatchObject({
      code: 0,
      stdout: 'done\n',
    });
    await nothingIsLeft(opened);
  });
});

test('as claude-print, from inside a session, with every flag of its own', async () => {
  const [version] = versions;
  const opened = await world({ version });
  symlinkSync(MAIN, join(opened.root, 'bin', 'claude-print'));
  const inherited = {
    CLAUDECODE: '1',
    CLAUDE_CODE_CHILD_SESSION: '1',
    CLAUDE_CODE_SESSION_ID: 'x',
    CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
  };
  const flags = [
    '-m',
    'claude-sonnet-4-6',
    '--max-turns',
    '30',
    '--timeout',
    '60',
    '--first-output-timeout',
    '50',
  ];
  const more = [
    '--stream-json-timeout',
    '50',
    '--stop-hook-timeout',
    '50',
    '--claude-binary',
    'claude',
    '--verbose',
  ];
  const ran = await opened.run('claude-print', ['SAY hi', ...flags, ...more, '-o', 'json'], {
    env: inherited,
  });
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringMatching(/^session \S+, 1 turns\n$/) });
  const { session_id } = JSON.parse(ran.stdout) as { session_id: string };
  expect(transcriptOf(opened, session_id)).toContain('"model":"claude-sonnet-4-6"');
  expect((await opened.run('claude-print', ['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  const check = await opened.run('claude-print', ['--check']);
  expect([check.code, check.stdout.match(/^ok /gm)?.length]).toEqual([0, 4]);
  const wrong: [string[], number, RegExp][] = [
    [['--bogus'], 2, /Unknown option/],
    [['-o', 'xml', 'hi'], 2, /text, json, stream-json/],
    [['--timeout', '0', 'hi'], 2, /--timeout takes seconds/],
    [['--max-turns', 'many', 'hi'], 2, /whole number/],
    [['--claude-binary', '/nowhere/claude', 'hi'], 2, /no program \/nowhere\/claude/],
    [['-f', '/nowhere/prompt'], 4, /cannot read/],
    [['  '], 4, /empty/],
    [[], 4, /empty/],
    [['hi', '--', '-p'], 2, /`claude -p`'s/],
  ];
  for (const [args, code, words] of wrong) {
    const said = await opened.run('claude-print', args);
    expect([args, said.code, said.stdout]).toEqual([args, code, '']);
    expect(said.stderr).toMatch(words);
  }
  const nul = await opened.run('claude-print', ['-o', 'json'], { input: 'a\0b' });
  expect([nul.code, JSON.parse(nul.stdout).subtype]).toEqual([2, 'internal_error']);
  const huge = await opened.run('claude-print', [], { input: 'x'.repeat(10 * 1024 * 1024 + 1) });
  expect(huge).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('larger than 10 MiB') });
  expect(readdirSync(join(opened.root, 'tmp')).filter(name => name.startsWith('claude-print'))).toEqual([]);
});

test('on a terminal a line tells how long it works, and is gone with the answer', async () => {
  const opened = await world({ version: versions[1] });
  const allowed = ['--allowedTools', 'Bash(sleep:*)'];
  const program = [process.execPath, MAIN, 'print', ...allowed, 'RUN sleep 4'];
  const shell = ['sh', '-c', '"$@"; exec cat', 'sh', ...program];
  await opened.tmux(['new-session', '-d', '-s', 'person', '-c', opened.dir(), ...shell]);
  const screen = () => opened.tmux(['capture-pane', '-p', '-t', 'person']);
  const seen = async (words: RegExp) => (words.test(await screen()) ? true : undefined);
  await until(
    15_000,
    () => 'no progress',
    () => seen(/^working … \d+ s, Bash$/m),
  ).catch(async error => {
    throw new Error(`${String(error)}: ${await screen()}`);
  });
  await until(
    15_000,
    () => 'no answer',
    () => seen(/^done$/m),
  );
  expect(await screen()).not.toContain('working');
});
