/** Which agents are woken, and that no wake is lost, doubled or blocks a session. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Session } from '../../src/contract/session.ts';
import { fakeAgent, readWakes } from '../rig/agent.ts';
import { edges } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { hooksOf, sessionId } from '../rig/hook.ts';
import { attached } from '../rig/screen.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const write = ({ droverHome }: World, config: object) =>
  writeFile(join(droverHome, 'config.json'), JSON.stringify(config));

describe.each(edges)('Claude Code %s', version => {
  test('tmux sessions of any name wake their own agent, and a session outside tmux wakes none', async () => {
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
    expect((await readWakes(opened)).every(({ sessionId: id }) => id !== sessionId(7))).toBe(true);
  });

  test('a slow agent blocks nothing: a question is on the screen when the agent gets it, and accepts its answer', async () => {
    const opened = await world({ version });
    const { claude, daemon, drover, dir } = opened;
    const agent = await fakeAgent(opened, 'sleep 20');
    await write(opened, { agents: [{ agent_id: 'slow', project: dir(), openclaw_session_id: 'oc' }] });
    await drover('setup');
    await daemon();
    const seat = await claude({ prompt: 'ASK' });
    await agent.woken(message => message.includes('ask_user_question'));
    // The agent sleeps for 20 s: whatever appears before that was not blocked.
    await seat.asks('Which size?', 10_000);
    await seat.press('Enter');
    await seat.sees('done');
    // The agent is still busy with the question: the wake of the answer waits for it.
    expect(await agent.calls()).toHaveLength(1);
  });

  test('a session is woken once by what it started, also right after /clear', async () => {
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
      async () => (await readWakes(opened)).some(({ status }) => status === 'delivered') || undefined,
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
    const wakes = await readWakes(opened);
    expect(wakes.map(({ sessionId: id, trigger, status }) => [id, trigger, status])).toEqual([
      [child.id, 'response_complete', 'delivered'],
      [child.id, 'response_complete', 'delivered'],
    ]);
  });

  test('two sessions that wake each other stop, and withheld wakes are listed', async () => {
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
        const rows = await readWakes(opened);
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
    expect(await readWakes(opened)).toHaveLength(4);
    expect((await drover('wake', 'ls')).stdout).toMatch(/^one +1 live, 1 withheld /m);
    expect((await drover('wake', 'log')).stdout).toMatch(
      / one  response_complete  withheld  3 wakes in a row/,
    );
    expect((await drover('doctor')).stdout).toMatch(/agent one +withheld: 1,/);
    expect((await drover('events', two.id, '--after', '0', '--json')).stdout).toContain(
      '"outcome":"withheld"',
    );
  });

  test('a daemon killed during a delivery neither loses nor repeats it; a failed one is retried', async () => {
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
    expect(await readWakes(opened)).toMatchObject([{ status: 'sending', tries: 1 }]);
    await writeFile(join(root, 'go'), '');
    const [wake] = await until(
      15_000,
      () => 'not delivered',
      async () => {
        const wakes = await readWakes(opened);
        return wakes.every(({ status }) => status === 'delivered') ? wakes : undefined;
      },
    );
    expect(wake).toMatchObject({ tries: 2, trigger: 'response_complete' });
    const calls = await agent.calls();
    expect(calls).toHaveLength(2);
    expect(new Set(calls.map(({ message }) => /^wake: (.*)$/m.exec(message)?.[1])).size).toBe(1);
  });
});
