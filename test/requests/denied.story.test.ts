/** Calls that auto mode denies: what a person sees of them, and the rule that allows one. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { autoVersions, newest } from '../rig/cli.ts';
import { hubOf } from '../rig/hub.ts';
import { hooksOf } from '../rig/hook.ts';
import { world } from '../rig/story.ts';
import { terminal } from '../rig/shell.ts';
import { witness } from '../rig/witness.ts';

const command = 'sh -c "touch made"';

describe.each(autoVersions)('Auto mode of Claude Code %s', version => {
  test('a denied call is named with its command and reason, and a rule that a person adds lets it through', async () => {
    const story = await world({ version });
    const { claude, drover, dir } = story;
    const hooks = await witness(story, ['ConfigChange']);
    await hooksOf(story);
    const hub = await hubOf(story);
    mkdirSync(join(dir(), '.claude'));
    const file = join(dir(), '.claude', 'settings.local.json');
    const settings = '{\n    "permissions": {"deny": ["Read(//secret)"]},\n    "mine": [1,  2]\n}';
    writeFileSync(file, settings);
    const seat = await claude({
      permissionMode: null,
      prompt: `FLAGGED It smells of smoke THEN RUN ${command}`,
    });
    const { sessionId: id } = await seat.file(({ sessionId }) => sessionId !== '');
    const session = await hub.is(id, one => one.reason === 'stopped');
    expect(session.permissionMode).toBe('auto');
    expect(session.denied).toMatchObject({
      turn: 1,
      total: 1,
      last: [{ tool: 'Bash', line: `Bash: ${command}`, reason: 'It smells of smoke' }],
    });
    const ls = (await drover('ls')).stdout;
    expect(ls).toContain('done, 1 denied');
    expect(ls).toContain('touch made');
    const shown = (await drover('show', id)).stdout;
    expect(shown).toContain('mode auto');
    expect(shown).toContain(`Bash: ${command} (It smells of smoke)`);

    const page = JSON.parse((await drover('denied', '--json')).stdout);
    expect(page.rules).toEqual([{ rule: `Bash(${command})`, count: 1 }]);
    const [denial] = page.denials;
    const dry = await drover('denied', '--allow', String(denial.id), '--dry-run');
    expect(dry.stdout).toContain(`+    "permissions": {"deny": ["Read(//secret)"], "allow": [`);
    // Without a terminal nobody can judge it.
    expect((await drover('denied', '--allow', String(denial.id))).code).toBe(6);
    expect(readFileSync(file, 'utf8')).toBe(settings);
    const shell = await terminal(story);
    await shell.types(`drover denied --allow ${denial.id}`);
    await shell.sees('Add this rule?');
    await shell.press('1');
    await shell.sees('Added to');
    expect(JSON.parse(readFileSync(file, 'utf8')).permissions.allow).toEqual([`Bash(${command})`]);
    expect(readFileSync(file, 'utf8')).toContain('"mine": [1,  2]');

    await hooks.saw(({ payload }) => payload.source === 'local_settings', 30_000);
    await seat.ready();
    await seat.type(`FLAGGED It smells THEN RUN ${command}`);
    const after = await hub.is(id, one => one.reason === 'stopped' && one.denied?.turn === 0);
    expect(after.denied).toMatchObject({ turn: 0, total: 1, last: [] });
    expect(existsSync(join(dir(), 'made'))).toBe(true);
  });
});

test('a thousand denied calls and one of 100 KB stay bounded, and nothing hidden reaches the terminal', async () => {
  const story = await world({ version: newest });
  const { fire, commands } = await hooksOf(story);
  const hub = await hubOf(story);
  const id = '11111111-2222-4333-8444-555555555555';
  const session = { session_id: id, cwd: story.dir(), permission_mode: 'auto' };
  await fire({ ...session, hook_event_name: 'UserPromptSubmit', prompt: 'go' });
  const deny = (text: string, reason: string) => ({
    ...session,
    hook_event_name: 'PermissionDenied',
    tool_name: 'Bash',
    tool_input: { command: text },
    reason,
  });
  const one = JSON.stringify({ ...deny('rm file-%d', 'It removes a file'), tool_use_id: 'toolu-%d' });
  const many =
    'n=0; while [ $n -lt 1000 ]; do printf "$1\\n" $((n % 7)) $n | sh -c "$2" || exit 1; n=$((n + 1)); done';
  const fired = await story.run('sh', ['-c', many, 'sh', one, commands.PermissionDenied ?? 'exit 1'], {
    ms: 60_000,
  });
  expect(fired.code).toBe(0);
  const large = `${'x'.repeat(100_000)}\nsecond line`;
  await fire(deny(large, `long\n${'y'.repeat(100_000)}`));
  await fire(deny('echo a\u202eb\u001b[31m\nrm -rf "$HOME/none"', 'why\u202e\u001b[2J'));
  await fire({ ...session, hook_event_name: 'Stop', last_assistant_message: 'done' });
  const seen = await hub.is(id, one => one.denied?.total === 1_002 && one.state === 'waiting');
  expect(seen.denied?.last).toHaveLength(3);
  expect(JSON.stringify(seen.denied).length).toBeLessThan(3_000);
  const page = JSON.parse((await story.drover('denied', '--json', '--last', '5')).stdout);
  expect(page).toMatchObject({ total: 1_000 });
  expect(page.denials).toHaveLength(5);
  expect(page.denials.map(({ rule }: { rule: string | null }) => rule).slice(0, 3)).toEqual([
    null,
    null,
    'Bash(rm file-5)',
  ]);
  expect(page.rules).toContainEqual({ rule: 'Bash(rm file-5)', count: 143 });
  for (const args of [['denied'], ['ls'], ['show', id]]) {
    const { stdout } = await story.drover(...args);
    expect(stdout).toContain('echo a');
    expect(stdout).not.toMatch(/[\u202e\u001b]/);
    expect(stdout.length).toBeLessThan(20_000);
  }
});
