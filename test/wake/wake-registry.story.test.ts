/** The registry of agents: edited by commands, imported, checked, and reloaded while the daemon runs. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeAgent, readWakes } from '../rig/agent.ts';
import { edges } from '../rig/cli.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

describe.each(edges)('Claude Code %s', version => {
  test('the registry is edited, imported, checked and reloaded live', async () => {
    const opened = await world({ version, projects: ['shop'] });
    const { claude, daemon, drover, dir, root, tmux } = opened;
    const agent = await fakeAgent(opened);
    await drover('setup');
    await daemon();
    const registry = {
      hook_settings: { pane_capture_lines: 150 },
      agents: [
        { agent_id: 'gideon', hook_settings: { hook_mode: 'bidirectional' } },
        {
          agent_id: 'warden',
          enabled: true,
          tmux_session_name: 'warden-main',
          openclaw_session_id: 'oc-1',
          topic_id: 3,
        },
      ],
    };
    await writeFile(join(root, 'registry.json'), JSON.stringify(registry));
    const imported = await drover('wake', 'import', join(root, 'registry.json'));
    expect(imported).toMatchObject({ code: 0 });
    expect(imported.stdout).toContain(
      'imported: gideon, warden\nglobal settings: pane_capture_lines\ninactive: gideon, without',
    );
    await writeFile(
      join(root, 'other.json'),
      JSON.stringify({ hook_settings: { pane_capture_lines: 90, max_hops: 2 } }),
    );
    expect((await drover('wake', 'import', join(root, 'other.json'))).stdout).toBe(
      'imported: none\nglobal settings: max_hops\nsettings not changed: pane_capture_lines (use --replace)\n',
    );
    expect((await drover('wake', 'test', 'warden')).stdout).toMatch(
      /FAIL {2}tmux session {4}there is no tmux session "warden-main"/,
    );
    expect((await drover('doctor')).stdout).toMatch(/FAIL {2}agent warden +there is no tmux session/);

    // A hook that an older Drover registered has no time to wait, and an entry is wrong: both are named, with the place.
    const settings = join(opened.home, '.claude', 'settings.json');
    const hooks = await readFile(settings, 'utf8');
    await writeFile(settings, hooks.replaceAll('"timeout": 600', '"timeout": 10'));
    const config = join(opened.droverHome, 'config.json');
    const right = await readFile(config, 'utf8');
    await writeFile(config, right.replace('"agents": [', '"agents": [\n{ "agent_id": "" },'));
    const wrong = (await drover('wake', 'test', 'gideon')).stdout;
    expect(wrong).toMatch(/ok {4}hooks arrive +a test event arrived/);
    expect(wrong).toMatch(/FAIL {2}agents +\S+config\.json:\d+: agents\[0\]\.agent_id: /);
    expect(wrong).toMatch(/FAIL {2}hook time +the timeout is too short .*Stop in \S+settings\.json/);
    expect(wrong).toMatch(/FAIL {2}entry +without tmux_session_name/);
    await writeFile(config, right);
    await drover('setup');
    expect((await drover('wake', 'test', 'gideon')).stdout).not.toMatch(/hook time|FAIL {2}agents/);
    await claude({ name: 'warden-main', prompt: 'SAY one', dir: dir('shop') });
    await agent.woken(message => message.includes('\none\n'));
    await until(
      10_000,
      () => 'it is not delivered',
      async () => (await readWakes(opened)).every(({ status }) => status !== 'sending') || undefined,
    );
    const tested = await drover('wake', 'test', 'warden');
    expect(tested.stdout).toMatch(/ok {4}message +a test message arrived/);
    expect(tested.stdout).toMatch(/ok {4}last wake +response_complete delivered/);
    expect(tested.code).toBe(0);
    expect((await agent.calls()).at(-1)?.message).toContain('type: test');

    // A pause counts from the next event on, and so does the end of it.
    expect((await drover('wake', 'pause', 'warden')).stdout).toBe('warden paused\n');
    await drover('wake', 'add', 'other', '--project', dir('shop'), '--', 'sh', '-c', `cat > '${root}/heard'`);
    expect((await drover('wake', 'ls')).stdout).toMatch(/^warden +inactive: paused .*\nother +1 live/m);
    const [seat] = opened.seats;
    await seat?.ready();
    await seat?.type('SAY two');
    await until(
      10_000,
      () => 'the other was not woken',
      async () => (await opened.run('cat', [join(root, 'heard')])).stdout.includes('\ntwo\n') || undefined,
    );
    expect((await agent.calls()).filter(({ message }) => message.includes('two'))).toEqual([]);
    const other = ['wake', 'add', 'other', '--tmux', 'elsewhere', '--openclaw', 'oc-9'];
    const refused = await drover(...other, '--replace', '--set', 'max_blocks=9');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('max_blocks: ') });
    await drover(...other, '--replace', '--set', 'max_blocks=3', '--set', 'triggers.plan=false');
    expect((await drover(...other, '--replace', '--mode', 'bidirectional')).stdout).toBe(
      'other added\nkept settings: max_blocks, triggers\n',
    );
    expect(await readFile(config, 'utf8')).toContain(
      '"hook_settings":{"max_blocks":3,"triggers":{"plan":false},"hook_mode":"bidirectional"}',
    );
    await drover('wake', 'rm', 'other');
    expect((await drover('wake', 'ls')).stdout).not.toContain('other');
    await tmux(['kill-session', '-t', '=warden-main']);
  });
});
