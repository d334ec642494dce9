/** Who is woken, and that nothing is lost, doubled or held up: among it what an earlier tool of this kind paid for. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Session } from '../src/contract/session.ts';
import type { Wake } from '../src/contract/wake.ts';
import { fakeAgent } from './rig/agent.ts';
import { versions } from './rig/cli.ts';
import { MAIN } from './rig/drover.ts';
import { hooksOf, sessionId } from './rig/hook.ts';
import { attached } from './rig/screen.ts';
import { world } from './rig/story.ts';
import { until } from './rig/within.ts';
import type { World } from './rig/world.ts';

const write = ({ droverHome }: World, config: object) =>
  writeFile(join(droverHome, 'config.json'), JSON.stringify(config));

const wakesOf = async ({ drover }: World): Promise<Wake[]> =>
  (await drover('wake', 'log', '--json')).stdout
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as Wake);

describe.each(versions)('Claude Code %s', version => {
  test('tmux sessions of any name reach their own agent, and one outside tmux reaches nobody', async () => {
    const opened = await world({ version });
    const { claude, drover, daemon, tmux, dir } = opened;
    const agent = await fakeAgent(opened);
    const names = ['a+b*', 'two words', 'bärbel 日本', '[0-9]'];
    await write(opened, {
      agents: [
        ...names.map((name, n) => ({
          agent_id: name,
          tmux_session_name: name,
          openclaw_session_id: `oc-${n}`,
        })),
        { agent_id: 'prefix', tmux_session_name: 'two', openclaw_session_id: 'never' },
        { agent_id: 'all', project: dir(), openclaw_session_id: 'all' },
      ],
    });
    const hooks = await hooksOf(opened);
    await daemon();
    await tmux(['new-session', '-d', '-s', 'first', 'sleep 600']);
    await tmux(['set-option', '-g', 'base-index', '1']);
    await tmux(['set-option', '-g', 'pane-base-index', '1']);
    const [first] = await Promise.all(names.map((name, n) => claude({ name, prompt: `SAY of ${n}` })));
    // Somebody looks at a session that has an agent, while another one stops outside tmux, in the same folder.
    await attached(opened, (first as NonNullable<typeof first>).name);
    const outside = { session_id: sessionId(7), cwd: dir() };
    await hooks.fire({ ...outside, hook_event_name: 'UserPromptSubmit', prompt: 'x' });
    await hooks.fire({ ...outside, hook_event_name: 'Stop', last_assistant_message: 'outside' });
    expect((await opened.headless({ prompt: 'SAY headless' })).stdout).toContain('headless');
    const calls = await until(
      15_000,
      () => 'not everybody was woken',
      async () => {
        const found = await agent.calls();
        return new Set(found.map(({ argv }) => argv[2])).size >= names.length + 1 &&
          names.every((_, n) =>
            found.some(({ argv, message }) => argv[2] === 'all' && message.includes(`of ${n}`)),
          )
          ? found
          : undefined;
      },
    );
    for (const [n, name] of names.entries()) {
      const own = calls.filter(({ argv }) => argv[2] === `oc-${n}`);
      expect(own.map(({ message }) => /^tmux_session_name: (.*)$/m.exec(message)?.[1])).toEqual([name]);
      expect(own[0]?.message).toContain(`\nof ${n}\n`);
    }
    await until(
      5_000,
      () => 'the one outside is not known',
      async () => (await drover('ls', '--json')).stdout.includes(sessionId(7)) || undefined,
    );
    const text = (await agent.calls()).map(({ argv }) => argv.join(' ')).join('\n');
    expect(text).not.toContain('never');
    expect(text).not.toContain('outside');
    expect(text).not.toContain('headless');
    expect((await wakesOf(opened)).every(({ sessionId: id }) => id !== sessionId(7))).toBe(true);
  });

  test('a slow agent holds nothing up: a question is on the screen when the agent hears of it, and takes its answer', async () => {
    const opened = await world({ version });
    const { claude, daemon, drover, dir } = opened;
    const agent = await fakeAgent(opened, 'sleep 20');
    await write(opened, { agents: [{ agent_id: 'slow', project: dir(), openclaw_session_id: 'oc' }] });
    await drover('setup');
    await daemon();
    const seat = await claude({ prompt: 'ASK' });
    await agent.woken(message => message.includes('ask_user_question'));
    // The agent sleeps for 20 s: what is shown before that was not held up.
    await seat.asks('Which size?', 10_000);
    await seat.press('Enter');
    await seat.sees('done');
    // The agent is still busy with the question: what came of the answer waits for it.
    expect(await agent.calls()).toHaveLength(1);
  });

  test('a session hears of what it started, once, also right after /clear', async () => {
    const opened = await world({ version });
    const { drover, daemon, run } = opened;
    await drover('setup');
    await daemon();
    const started = async (prompt: string, env: Record<string, string> = {}) =>
      JSON.parse((await run(process.execPath, [MAIN, 'new', '--json', prompt], { env })).stdout) as Session;
    const parent = await started('SAY I am the parent');
    await write(opened, { agents: [{ agent_id: 'family', parent: parent.id }] });
    const child = await started('SAY the child is done', { CLAUDE_CODE_SESSION_ID: parent.id });
    await until(
      15_000,
      () => 'the parent was not told',
      async () => (await wakesOf(opened)).some(({ status }) => status === 'delivered') || undefined,
    );
    await drover('send', parent.id, '/clear', '--command');
    await drover('send', child.id, 'SAY the child again');
    const next = await until(
      15_000,
      () => 'no next session',
      async () =>
        (JSON.parse((await drover('show', parent.id, '--json')).stdout) as Session).next ?? undefined,
    );
    const prompts = async () =>
      (await drover('events', next, '--after', '0', '--json')).stdout
        .split('\n')
        .filter(line => line.includes('"UserPromptSubmit"') && line.includes('SESSION IDENTITY'));
    await until(
      20_000,
      () => 'the next session was not told',
      async () => (await prompts()).length || undefined,
    );
    await until(
      15_000,
      () => 'the turn did not end',
      async () => (await drover('show', next, '--json')).stdout.includes('"stopped"') || undefined,
    );
    expect(await prompts()).toHaveLength(1);
    const wakes = await wakesOf(opened);
    expect(wakes.map(({ sessionId: id, trigger, status }) => [id, trigger, status])).toEqual([
      [child.id, 'response_complete', 'delivered'],
      [child.id, 'response_complete', 'delivered'],
    ]);
  });

  test('two sessions that wake each other come to rest, and what is withheld is seen', async () => {
    const opened = await world({ version });
    const { drover, daemon } = opened;
    await drover('setup');
    await daemon();
    const started = async (prompt: string) =>
      JSON.parse((await drover('new', '--json', prompt)).stdout) as Session;
    const [one, two] = await Promise.all([started('SAY I am one'), started('SAY I am two')]);
    const isOver = async ({ id }: Session) =>
      (await drover('show', id, '--json')).stdout.includes('"stopped"');
    const atRest = () =>
      until(
        15_000,
        () => 'they work on',
        async () => ((await isOver(one)) && (await isOver(two))) || undefined,
      );
    await atRest();
    await write(opened, {
      hook_settings: { max_hops: 2 },
      agents: [
        { agent_id: 'one', sessions: [two.id], deliver: { session: one.id } },
        { agent_id: 'two', sessions: [one.id], deliver: { session: two.id } },
      ],
    });
    await drover('send', one.id, 'SAY begin');
    const wakes = await until(
      30_000,
      () => 'nothing was withheld',
      async () => {
        const rows = await wakesOf(opened);
        return rows.some(({ status }) => status === 'withheld') ? rows : undefined;
      },
    );
    await atRest();
    expect(wakes.map(({ agent, status, hops }) => [agent, status, hops])).toEqual([
      ['two', 'delivered', 0],
      ['one', 'delivered', 1],
      ['two', 'delivered', 2],
      ['one', 'withheld', 3],
    ]);
    expect(await wakesOf(opened)).toHaveLength(4);
    expect((await drover('wake', 'ls')).stdout).toMatch(/^one +1 live, 1 withheld /m);
    expect((await drover('wake', 'log')).stdout).toMatch(
      / one  response_complete  withheld  3 wakes in a row/,
    );
    expect((await drover('doctor')).stdout).toMatch(/agent one +withheld: 1,/);
    expect((await drover('events', two.id, '--after', '0', '--json')).stdout).toContain(
      '"outcome":"withheld"',
    );
  });

  test('a daemon that is killed in the middle of a delivery neither loses nor repeats it; a failure is tried again', async () => {
    const opened = await world({ version });
    const { claude, daemon, drover, dir, root } = opened;
    const agent = await fakeAgent(
      opened,
      `until [ -e '${root}/go' ]; do sleep 0.05; done; test -e '${root}/up' || { : > '${root}/up'; echo down >&2; exit 1; }`,
    );
    await write(opened, { agents: [{ agent_id: 'warden', project: dir(), openclaw_session_id: 'oc' }] });
    await drover('setup');
    const first = await daemon();
    await claude({ prompt: 'SAY one' });
    await agent.woken(message => message.includes('\none\n'));
    await first.kill9();
    await daemon();
    // It waits for what the other one began, which fails, and tries again.
    expect(await wakesOf(opened)).toMatchObject([{ status: 'sending', tries: 1 }]);
    await writeFile(join(root, 'go'), '');
    const [wake] = await until(
      15_000,
      () => 'not delivered',
      async () => {
        const wakes = await wakesOf(opened);
        return wakes.every(({ status }) => status === 'delivered') ? wakes : undefined;
      },
    );
    expect(wake).toMatchObject({ tries: 2, trigger: 'response_complete' });
    const calls = await agent.calls();
    expect(calls).toHaveLength(2);
    expect(new Set(calls.map(({ message }) => /^wake: (.*)$/m.exec(message)?.[1])).size).toBe(1);
  });

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
      'imported: nobody\nglobal settings: max_hops\nsettings left as they were: pane_capture_lines (--replace takes the new ones)\n',
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
    expect(wrong).toMatch(/ok {4}hooks reach us +a probe arrived/);
    expect(wrong).toMatch(/FAIL {2}agents +\S+config\.json:\d+: agents\[0\]\.agent_id: /);
    expect(wrong).toMatch(/FAIL {2}hook time +too little time .*Stop in \S+settings\.json/);
    expect(wrong).toMatch(/FAIL {2}entry +without tmux_session_name/);
    await writeFile(config, right);
    await drover('setup');
    expect((await drover('wake', 'test', 'gideon')).stdout).not.toMatch(/hook time|FAIL {2}agents/);
    await claude({ name: 'warden-main', prompt: 'SAY one', dir: dir('shop') });
    await agent.woken(message => message.includes('\none\n'));
    await until(
      10_000,
      () => 'it is not delivered',
      async () => (await wakesOf(opened)).every(({ status }) => status !== 'sending') || undefined,
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
      'other added\nits settings that stay: max_blocks, triggers\n',
    );
    expect(await readFile(config, 'utf8')).toContain(
      '"hook_settings":{"max_blocks":3,"triggers":{"plan":false},"hook_mode":"bidirectional"}',
    );
    await drover('wake', 'rm', 'other');
    expect((await drover('wake', 'ls')).stdout).not.toContain('other');
    await tmux(['kill-session', '-t', '=warden-main']);
  });
});
