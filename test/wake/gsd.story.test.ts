/** gsd-code-skill's own way of working: no permissions, a registry that its scripts write, and menu-driver.sh. */
import { existsSync, symlinkSync } from 'node:fs';
import { chmod, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeAgent } from '../rig/agent.ts';
import { edges } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

describe.each(edges)('Claude Code %s', version => {
  test('with format gsd the agent reads the original’s words', async () => {
    const opened = await world({ version });
    const agent = await fakeAgent(opened);
    const entry = { agent_id: 'gideon', openclaw_session_id: 'oc-9', tmux_session_name: 'gsd-main' };
    const config = { hook_settings: { format: 'gsd', context_pressure_threshold: 0 }, agents: [entry] };
    await writeFile(join(opened.droverHome, 'config.json'), JSON.stringify(config));
    await opened.drover('setup');
    await opened.daemon();
    const seat = await opened.claude({ name: 'gsd-main', prompt: 'RUN touch made' });
    const { message } = await agent.woken(text => text.includes('type: permission_prompt'));
    expect(message).toMatch(
      /^\[SESSION IDENTITY\]\nagent_id: gideon\ntmux_session_name: gsd-main\ntimestamp: \S+Z\n\n\[TRIGGER\]\ntype: permission_prompt\n\n\[STATE HINT\]\nstate: permission_prompt\n\n\[PANE CONTENT\]\n[^]*Do you want to proceed\?[^]* 1\. Yes[^]*\n\n\[CONTEXT PRESSURE\]\n(?:\d+% \[(?:WARNING|CRITICAL)\]|unknown)\n\n\[AVAILABLE ACTIONS\]\nmenu-driver\.sh gsd-main choose <n>\n/,
    );
    await seat.asks('Do you want to proceed?');
    await seat.press('Enter');
    const ended = await agent.woken(text => text.includes('type: response_complete'));
    expect(ended.message).toMatch(
      /\n\[CONTENT\]\ndone\n\n\[STATE HINT\]\nstate: idle\n\n\[CONTEXT PRESSURE\]\n(?:\d+% \[(?:WARNING|CRITICAL)\]|unknown)\n/,
    );
    await seat.ready();
    await seat.type('ASK');
    const asked = await agent.woken(text => text.includes('type: ask_user_question\n'));
    expect(asked.message).toContain(
      '[ASK USER QUESTION]\nQuestion: Which size?\nHeader: Size\nMulti-select: no\nOptions:\n  1. Small: ',
    );
    expect(asked.message).toContain('\nstate: awaiting_user_input\n');
  });

  test('without permissions, questions reach the agent with their options, and menu-driver.sh answers and drives', async () => {
    const opened = await world({ version, settings: { skipDangerousModePermissionPrompt: true } });
    const agent = await fakeAgent(opened);
    symlinkSync(MAIN, join(opened.root, 'bin', 'menu-driver.sh'));
    await opened.drover('setup');
    const registry = join(opened.root, 'recovery-registry.json');
    const entry = {
      agent_id: 'gideon',
      enabled: true,
      auto_wake: true,
      topic_id: 1,
      openclaw_session_id: 'oc-9',
      working_directory: opened.dir(),
      tmux_session_name: 'gsd-main',
      claude_launch_command: 'claude --dangerously-skip-permissions',
    };
    await writeFile(registry, JSON.stringify({ agents: [] }), { mode: 0o600 });
    expect(await opened.drover('wake', 'follow', registry)).toMatchObject({
      code: 0,
      stdout: `follows ${registry}: no agents yet\n`,
    });
    await opened.daemon();
    const args = ['--dangerously-skip-permissions'];
    const env = { IS_SANDBOX: '1' };
    const seat = await opened.claude({ name: 'gsd-main', args, env, permissionMode: null });
    await seat.ready();
    // As its spawn script does, while everything runs.
    await writeFile(registry, JSON.stringify({ hook_settings: { hook_mode: 'async' }, agents: [entry] }));

    const driver = (...words: string[]) => opened.run('menu-driver.sh', ['gsd-main', ...words]);
    const does = async (...words: string[]) =>
      expect([words, await driver(...words)]).toEqual([words, { code: 0, stdout: '', stderr: '' }]);
    /** The nth wake of this type, or with this text. */
    const woken = (text: string, nth = 1) =>
      until(
        20_000,
        () => `no wake number ${nth} with ${text}`,
        async () => {
          const all = (await agent.calls()).flatMap(({ message }) =>
            message.split(/^(?=\[SESSION IDENTITY\]$)/m),
          );
          return all.filter(message => message.includes(text))[nth - 1];
        },
      );

    await does('type', 'ASK');
    expect(await woken('type: ask_user_question\n')).toMatch(
      /1\. Which size\?\nheader: Size\nmulti_select: false\n {2}1\) Small - Fits in a pocket\n {2}2\) Large - /,
    );
    // Its scripts replace the registry by a file that others may write: the agents that were read before stay.
    const replaced = `${registry}.new`;
    await writeFile(replaced, JSON.stringify({ agents: [] }));
    await chmod(replaced, 0o666);
    await rename(replaced, registry);
    await does('choose', '2');
    expect(await woken('type: ask_user_question_answered')).toContain('Which size?\nLarge');
    expect((await opened.drover('wake', 'ls')).stderr).toContain('the agents that it had before stay (1)');
    await woken('type: response_complete');

    await does('type', 'TICK');
    await woken('type: ask_user_question\n', 2);
    await does('choose', '1');
    await does('submit');
    await woken('type: ask_user_question_answered', 2);
    await woken('type: response_complete', 2);

    await does('type', 'ASK');
    await woken('type: ask_user_question\n', 3);
    await does('type', 'neither of them');
    expect(await woken('type: ask_user_question_answered', 3)).toContain('Which size?\nneither of them');
    await woken('type: response_complete', 3);

    await does('type', 'RUN touch made');
    await woken('type: response_complete', 4);
    expect(existsSync(join(opened.dir(), 'made'))).toBe(true);
    expect((await agent.calls()).some(({ message }) => message.includes('permission_prompt'))).toBe(false);

    // Nothing to leave and nothing to send: no key is needed.
    await does('esc');
    await does('enter');
    expect((await driver('snapshot')).stdout).toMatch(/RUN touch made[^]*❯/);
    await does('type', 'STREAM 300');
    await seat.sees('line 2 of 300');
    await does('esc');
    await woken('type: interrupted');
    await seat.file(({ status }) => status === 'idle');

    await does('clear_then', 'SAY fresh');
    expect(await woken('fresh')).toContain('type: response_complete');
    const wrong: [string[], RegExp][] = [
      [['gsd-main'], /^Usage: menu-driver\.sh/],
      [['gsd-main', 'dance'], /^Usage: menu-driver\.sh/],
      [['gsd-main', 'choose', 'two'], /^choose requires numeric option/],
      [['gsd-main', 'type'], /^type requires an argument/],
      [['gsd', 'enter'], /^session not found: gsd/],
    ];
    for (const [words, says] of wrong) {
      const ran = await opened.run('menu-driver.sh', words);
      expect([words, ran.code, ran.stdout, ran.stderr]).toEqual([words, 1, '', expect.stringMatching(says)]);
    }
  });
});
