/** A run is a normal session: the user's hooks, Drover's list, resume, permissions and trust. */
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeAgent } from '../rig/agent.ts';
import { edges } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { awaitNothingLeft, print, startPrint, transcriptOf } from '../rig/print.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import { witness } from '../rig/witness.ts';

describe.each(edges)('Claude Code %s', version => {
  test('a tool that needs permission: reported and ended, allowed by a flag, a hook, or a person', async () => {
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
    const isAsked = async () => (/Do you want to/.test((await screen()).stdout) ? true : undefined);
    await until(15_000, () => 'no dialog', isAsked);
    // 2.1.325 ignores keys for a moment after the Enter of a prompt.
    await until(
      5_000,
      () => 'the dialog stays',
      async () => {
        await opened.run('tmux', ['-S', socket, 'send-keys', 'Enter']);
        return (await isAsked()) ? undefined : true;
      },
    );
    expect(await waits.ended).toMatchObject({ code: 0, stdout: 'done\n' });
    await awaitNothingLeft(opened);
  });

  test("the user's hooks fire; a Stop that one of them blocks does not end the run; --no-inherit-hooks disables them", async () => {
    const opened = await world({ version });
    const { events, saw } = await witness(opened);
    const file = join(opened.home, '.claude', 'settings.json');
    const settings = JSON.parse(readFileSync(file, 'utf8')) as { hooks: Record<string, object[]> };
    // Once: a file says what the model does next.
    const next = join(opened.root, 'next');
    const command = `[ -e '${next}' ] && cat '${next}' && rm '${next}'; exit 0`;
    settings.hooks.Stop?.push({ hooks: [{ type: 'command', command }] });
    writeFileSync(file, JSON.stringify(settings));
    const goOn = (reason: string) => writeFileSync(next, JSON.stringify({ decision: 'block', reason }));

    goOn('SLEEP 700 SAY second');
    const { code, stdout } = await print(opened, ['SAY first', '-o', 'json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { result: 'second', num_turns: 2 }]);
    await saw(({ name }) => name === 'SessionEnd');
    const names = events().map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd']));
    expect(events().map(({ tmuxPane }) => tmuxPane ?? '')).toEqual(names.map(() => ''));
    goOn('SLEEP 700 FAIL');
    expect(await print(opened, ['SAY first'])).toMatchObject({ code: 1, stdout: '' });

    const ends = () => events().filter(({ name }) => name === 'SessionEnd').length;
    await until(
      10_000,
      () => 'the second one reported no end',
      () => ends() === 2 || undefined,
    );
    const before = events().length;
    expect(await print(opened, ['SAY alone', '--no-inherit-hooks'])).toMatchObject({
      code: 0,
      stdout: 'alone\n',
    });
    expect(events().length).toBe(before);
    await awaitNothingLeft(opened);
  });

  test('Drover lists a run as headless, never as waiting; it has no pane and wakes no agent', async () => {
    const opened = await world({ version });
    expect((await opened.drover('setup')).code).toBe(0);
    const agent = await fakeAgent(opened);
    const watch = ['wake', 'add', 'watcher', '--project', opened.dir(), '--openclaw', 'oc'];
    expect((await opened.drover(...watch)).code).toBe(0);
    const daemon = await opened.daemon();
    // From a pane of the user's, as somebody types it there.
    const made = ['new-session', '-d', '-P', '-F', '#{pane_id} #{pid}', '-s', 'own', 'sleep', '600'];
    const [pane = '', server = ''] = (await opened.tmux(made)).trim().split(' ');
    const env = { TMUX: `${opened.socket},${server},0`, TMUX_PANE: pane };
    const run = startPrint(opened, ['SLEEP 6000 SAY hi'], { env });
    await opened.model.asked(({ prompt }) => prompt === 'SLEEP 6000 SAY hi');
    type Listed = { headless: boolean; pane: unknown; state: string };
    const list = async (...flags: string[]) =>
      JSON.parse((await opened.drover('ls', '--json', ...flags)).stdout) as { sessions: Listed[] };
    const session = await until(
      10_000,
      () => 'not listed',
      async () => (await list('--all')).sessions.find(({ state }) => state === 'working'),
    );
    expect(session).toMatchObject({ headless: true, pane: null });
    expect((await list()).sessions).toEqual([]);
    expect((await run.ended).stdout).toBe('hi\n');
    const { sessions } = JSON.parse((await opened.drover('status', '--json')).stdout);
    expect(sessions.waiting).toBe(0);
    // One that is not headless does wake it: what was to be said of the run would have come before.
    const seat = await opened.claude({ prompt: 'SAY aloud' });
    await agent.woken(message => message.includes('aloud'));
    expect((await agent.calls()).map(({ message }) => message.includes('SAY hi'))).toEqual([false]);
    expect(await opened.tmux(['show-options', '-p', '-t', pane])).toBe('');
    await opened.tmux(['kill-session', '-t', seat.name]);
    await opened.tmux(['kill-session', '-t', 'own']);
    await daemon.stop();
    await awaitNothingLeft(opened);
  });

  test('a session is resumed, continued and streamed; lines arrive while it works', async () => {
    const opened = await world({ version });
    const id = '5eed0001-0000-4000-8000-000000000000';
    expect((await print(opened, ['SAY one', '--session-id', id])).stdout).toBe('one\n');
    const before = transcriptOf(opened, id);
    const live = startPrint(opened, ['LINGER 5000 RUN echo two', '--resume', id, '-o', 'stream-json']);
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
    await awaitNothingLeft(opened);
  });

  test('the trust dialog is never answered automatically: --trust, --pretrust-cwd, or an error with the fix', async () => {
    const opened = await world({ version, renderer: 'ask' });
    const untrusted = (name: string) => {
      mkdirSync(join(opened.home, name));
      return { cwd: join(opened.home, name) };
    };
    const refused = await print(opened, ['SAY hi'], '', untrusted('a'));
    expect(refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/--trust-once .*--pretrust-cwd/),
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
    await awaitNothingLeft(opened);
  });

  test('claude-print trusts an untrusted folder for its run and not afterwards', async () => {
    const opened = await world({ version });
    symlinkSync(MAIN, join(opened.root, 'bin', 'claude-print'));
    const cwd = join(opened.home, 'new');
    mkdirSync(join(cwd, '.claude'), { recursive: true });
    // A hook of the project runs in a trusted folder only.
    const hooks = {
      Stop: [{ hooks: [{ type: 'command', command: `touch '${opened.root}/project-hook'` }] }],
    };
    writeFileSync(join(cwd, '.claude', 'settings.json'), JSON.stringify({ hooks }));
    expect(await opened.run('claude-print', ['SAY hi'], { cwd })).toEqual({
      code: 0,
      stdout: 'hi\n',
      stderr: '',
    });
    expect(existsSync(join(opened.root, 'project-hook'))).toBe(true);
    const { projects } = JSON.parse(readFileSync(join(opened.home, '.claude.json'), 'utf8'));
    expect(projects[cwd]?.hasTrustDialogAccepted ?? false).toBe(false);
    expect(await print(opened, ['SAY hi'], '', { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--trust-once .*--trust .*--pretrust-cwd/),
    });

    // A CLI that does not know the variable asks: its dialog is answered, as claude-print always did.
    const asking = join(opened.root, 'asking-claude');
    const real = realpathSync(join(opened.root, 'bin', 'claude'));
    writeFileSync(asking, `#!/bin/sh\nunset CLAUDE_CODE_SANDBOXED\nexec '${real}' "$@"\n`, { mode: 0o755 });
    const flags = ['--claude-binary', asking];
    expect(await print(opened, ['--trust-once', ...flags, 'SAY hi'], '', { cwd })).toMatchObject({ code: 2 });
    expect(await opened.run('claude-print', [...flags, 'SAY asked'], { cwd })).toEqual({
      code: 0,
      stdout: 'asked\n',
      stderr: '',
    });
    const after = JSON.parse(readFileSync(join(opened.home, '.claude.json'), 'utf8'));
    expect(after.projects[cwd]?.hasTrustDialogAccepted).toBe(true);
    await awaitNothingLeft(opened);
  });
});
