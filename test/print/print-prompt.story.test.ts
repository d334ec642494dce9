/** Where the prompt of `drover print` comes from, how it is passed on, and the other flags. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { edges, newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { awaitNothingLeft, print, startPrint, transcriptOf } from '../rig/print.ts';
import { world } from '../rig/story.ts';

describe.each(edges)('Claude Code %s', version => {
  test('a prompt is on no command line of the CLI, and arrives unchanged', async () => {
    const opened = await world({ version });
    const prompts = ['/nosuch\nSAY back \\', '!ls\nSAY at @project', '-x\nSAY dash'];
    await Promise.all(
      prompts.map(async (prompt, n) => {
        const [, said = ''] = prompt.split('\nSAY ');
        // One as an argument; the last would be a flag of ours.
        const ran = await (n === 0 ? print(opened, [prompt]) : print(opened, [], prompt));
        expect([prompt, ran]).toEqual([prompt, { code: 0, stdout: `${said}\n`, stderr: '' }]);
        await opened.model.asked(seen => seen.turn && seen.prompt?.trim() === prompt);
      }),
    );
    const secret = startPrint(opened, [], { input: 'SLEEP 4000 SAY hush-hush' });
    // An argument is visible where it was given, and is not given on.
    const long = 'y'.repeat(200);
    const given = startPrint(opened, [`SLEEP 4000 SAY ${long}`]);
    await opened.model.asked(({ prompt }) => prompt?.includes('hush') ?? false);
    await opened.model.asked(({ prompt }) => prompt?.endsWith(long) ?? false);
    const { stdout } = await opened.run('ps', ['-A', '-ww', '-o', 'args=']);
    expect(stdout).toContain('--settings=');
    expect(stdout).not.toContain('hush-hush');
    const shown = stdout.split('\n').filter(line => line.includes(long));
    expect(shown.map(line => line.includes(MAIN))).toEqual([true]);
    expect(await secret.ended).toMatchObject({ code: 0, stdout: 'hush-hush\n' });
    expect(await given.ended).toMatchObject({ code: 0, stdout: `${long}\n` });
    const large = 'x'.repeat(999_999);
    writeFileSync(join(opened.root, 'large'), `SAY ${large}`);
    expect((await print(opened, ['-f', join(opened.root, 'large'), 'SAY not this'])).stdout).toBe(
      `${large}\n`,
    );
    await awaitNothingLeft(opened);
  });

  test('flags reach the CLI, also from inside a session; history and transcript are in their usual places', async () => {
    const opened = await world({ version });
    // As deep as slugs are cut off.
    const cwd = join(opened.home, 'd'.repeat(120), 'e'.repeat(120));
    mkdirSync(cwd, { recursive: true });
    const inherited = {
      CLAUDECODE: '1',
      CLAUDE_CODE_CHILD_SESSION: '1',
      CLAUDE_CODE_SESSION_ID: 'x',
      CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
      CLAUDE_CODE_SKIP_PROMPT_HISTORY: '1',
      // Without it the CLI refuses to ask for nothing where root runs it.
      IS_SANDBOX: '1',
    };
    const flags = [
      ['--append-system-prompt', 'Speak like a drover.'],
      ['--disallowedTools', 'WebFetch'],
      ['--add-dir', opened.dir()],
      ['--mcp-config', '{"mcpServers":{}}'],
      ['--model', 'claude-sonnet-4-6'],
      ['--dangerously-skip-permissions', '--pretrust-cwd'],
    ].flat();
    const ran = await print(opened, ['RUN touch made', ...flags, '-o', 'json'], 'SAY not this', {
      cwd,
      env: inherited,
    });
    expect([ran.code, ran.stderr, JSON.parse(ran.stdout)]).toMatchObject([
      0,
      '',
      { result: 'done', num_turns: 2 },
    ]);
    expect(existsSync(join(cwd, 'made'))).toBe(true);
    const { body } = await opened.model.asked(({ prompt, turn }) => turn && prompt === 'RUN touch made');
    expect(JSON.stringify(body.system)).toContain('Speak like a drover.');
    expect(body.model).toBe('claude-sonnet-4-6');
    expect(body.tools?.map(({ name }) => name)).not.toContain('WebFetch');
    const { session_id } = JSON.parse(ran.stdout) as { session_id: string };
    const history = readFileSync(join(opened.home, '.claude', 'history.jsonl'), 'utf8');
    expect(history).toContain(session_id);
    await awaitNothingLeft(opened);
  });

  test('a prompt of 5 MB has the same result as with `claude -p`', async () => {
    const opened = await world({ version });
    const input = `${'A line of filler, and no word of the script.\n'.repeat(116_000)}SAY small`;
    const theirs = await opened.run('claude', ['-p'], { input, ms: 50_000 });
    const ours = await print(opened, ['--timeout', '50'], input);
    expect(ours.code).toBe(theirs.code);
    if (theirs.code === 0) expect(ours.stdout).toBe(theirs.stdout);
    else expect(ours.stderr.trim()).toBe(`error: ${theirs.stdout.trim()}`);
    await awaitNothingLeft(opened);
  });
});

test('as claude-print, with every flag of its own', async () => {
  const version = newest;
  const opened = await world({ version });
  symlinkSync(MAIN, join(opened.root, 'bin', 'claude-print'));
  const config = join(opened.root, 'config.toml');
  writeFileSync(config, '[defaults]\nmodel = "claude-sonnet-4-6"\nmax_turns = 30\n');
  const flags = ['--config', config, '--timeout', '60', '--first-output-timeout', '50'];
  const more = [
    '--stream-json-timeout',
    '50',
    '--stop-hook-timeout',
    '50',
    '--claude-binary',
    'claude',
    '--verbose',
  ];
  const ran = await opened.run('claude-print', ['SAY hi', ...flags, ...more, '-o', 'json']);
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringMatching(/^session \S+, 1 turns\n$/) });
  const { session_id } = JSON.parse(ran.stdout) as { session_id: string };
  expect(transcriptOf(opened, session_id)).toContain('"model":"claude-sonnet-4-6"');
  expect((await opened.run('claude-print', ['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  const check = await opened.run('claude-print', ['--check']);
  expect([check.code, check.stdout.match(/^ok /gm)?.length]).toEqual([0, 4]);
  const wrong: [string[], number, RegExp][] = [
    [['--bogus'], 2, /Unknown option/],
    [['-o', 'xml', 'hi'], 2, /text, json, stream-json/],
    [['--timeout', '0', 'hi'], 2, /--timeout must be seconds/],
    [['--config', '/nowhere/config', 'hi'], 2, /--config \/nowhere\/config: ENOENT/],
    [['--max-turns', 'many', 'hi'], 2, /whole number/],
    [['--claude-binary', '/nowhere/claude', 'hi'], 2, /program not found: \/nowhere\/claude/],
    [['-f', '/nowhere/prompt'], 4, /cannot read/],
    [['  '], 4, /empty/],
    [[], 4, /empty/],
    [['hi', '--', '-p'], 2, /a flag of `claude -p`/],
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
