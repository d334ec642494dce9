/** Agents and several requests at once: each message is about one request, and an answer reaches that one. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeAgent } from '../rig/agent.ts';
import { versions } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { heldSession, resultsOf } from '../rig/requests.ts';
import { world } from '../rig/story.ts';
import { webhook } from '../rig/webhook.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const URL_A = 'https://127.0.0.1:9/a';
const name = 'watched';

describe.each(versions)('Claude Code %s', version => {
  test('an agent is woken for each request, and every offered command works as printed', async () => {
    const agents = [{ agent_id: 'warden', tmux_session_name: name, openclaw_session_id: 'oc-1' }];
    let agent: Awaited<ReturnType<typeof fakeAgent>> | undefined;
    const { story, seat, id, held, waiters } = await heldSession(version, {
      config: { agents },
      seat: { name },
      prepare: async opened => {
        agent = await fakeAgent(opened);
      },
    });
    await seat.type(`TOGETHER FETCH ${URL_A} one ;; FETCH ${URL_A} two`);
    const requests = await held(2);
    const [first, second] = requests.toSorted((a, b) => a.id - b.id);
    await waiters(2);
    const messages = async () =>
      (await agent?.calls())?.flatMap(({ message }) => message.split(/^(?=\[SESSION IDENTITY\]$)/m)) ?? [];
    const wakeOf = (request: number | undefined) =>
      until(
        15_000,
        () => `no agent was notified of request ${request}`,
        async () => (await messages()).find(message => message.includes(`\nrequest: ${request}\n`)),
      );
    const [one, two] = [await wakeOf(first?.id), await wakeOf(second?.id)];
    expect(one).toContain(`"prompt":"${String(first?.input?.prompt)}"`);
    expect(two).toContain(`"prompt":"${String(second?.input?.prompt)}"`);
    expect(two).not.toContain(`"prompt":"${String(first?.input?.prompt)}"`);
    expect(two).toContain(`[OTHER OPEN REQUESTS]\n${first?.id}  WebFetch: ${URL_A}`);
    // The dialogs look alike: no key is offered, and each answer names its request.
    expect(commandsOf(two)).toEqual([
      `drover answer ${id} allow --id ${second?.id}`,
      `drover answer ${id} deny --id ${second?.id}`,
      `drover menu ${id} snapshot`,
    ]);
    const paste = (command: string) => pasted(story, command);
    expect(await paste(`drover menu ${id} snapshot`)).toMatchObject({ code: 0 });
    const key = await paste(`drover menu ${id} choose 1 --id ${first?.id} --expect ${URL_A}`);
    expect([key.code, key.stderr]).toEqual([6, expect.stringContaining('2 requests are open')]);
    await waiters(2);
    expect(await paste(commandsOf(two)[1] ?? '')).toMatchObject({
      code: 0,
      stdout: `denied WebFetch: ${URL_A}\n`,
    });
    await waiters(1);
    // The other command for the same request changes nothing any more.
    expect(await paste(commandsOf(two)[0] ?? '')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('Already denied through Drover') as string,
    });
    await waiters(1);
    expect(await paste(commandsOf(one)[0] ?? '')).toMatchObject({
      code: 0,
      stdout: `allowed WebFetch: ${URL_A}\n`,
    });
    await waiters(0);
    await seat.file(({ status }) => status === 'idle');

    await seat.type('RUN touch "it\'s me"');
    const [third] = await held(1);
    await seat.asks('Do you want to proceed?');
    const three = await wakeOf(third?.id);
    const keys = commandsOf(three).filter(
      command => command.includes(' menu ') && !command.endsWith('snapshot'),
    );
    expect(keys).toHaveLength(2);
    for (const command of keys) expect(command).toMatch(/ --id \d+ --expect '/);
    expect(await paste(keys[0] ?? '')).toMatchObject({ code: 0 });
    await until(
      15_000,
      () => 'nothing was made',
      () => existsSync(join(story.dir(), "it's me")) || undefined,
    );
    await seat.file(({ status }) => status === 'idle');
    // Its dialog is gone: the command presses nothing, and says what happened.
    const late = await paste(keys[0] ?? '');
    expect([late.code, late.stderr]).toEqual([6, expect.stringMatching(/Already allowed in the terminal/)]);
  });

  test('a deciding agent gets two requests at once, and each answer reaches its own', async () => {
    const story = await world({ version });
    const hook = await webhook(({ trigger, content }) => {
      const prompt = /"prompt":"(\w+)"/.exec(content?.text ?? '')?.[1];
      if (trigger.type !== 'permission_prompt') return {};
      return prompt === 'one' ? { decision: 'allow' } : { decision: 'deny', reason: `no to ${prompt}` };
    });
    await story.drover('setup');
    const agents = [
      {
        agent_id: 'warden',
        tmux_session_name: name,
        deliver: { webhook: hook.url },
        hook_settings: { hook_mode: 'bidirectional' },
      },
    ];
    await writeFile(join(story.droverHome, 'config.json'), JSON.stringify({ agents }));
    await story.daemon();
    const seat = await story.claude({ name });
    await seat.ready();
    const { sessionId: id } = await seat.file(file => file.status === 'idle');
    await until(
      15_000,
      () => 'its hooks do not wait',
      () => existsSync(join(story.droverHome, 'awaited', id)) || undefined,
    );
    await seat.type(`TOGETHER FETCH ${URL_A} two ;; FETCH ${URL_A} one ;; FETCH ${URL_A} three`);
    const isOver = (messages: unknown) => {
      const results = resultsOf(messages);
      return results.length === 3 && results.every(({ result }) => result !== '');
    };
    const { body } = await story.model.asked(asked => isOver(asked.body.messages));
    const told = resultsOf(body.messages).map(({ input, result }) => [
      input.prompt,
      /no to (\w+)/.exec(result)?.[1],
    ]);
    expect(told).toEqual([
      ['two', 'two'],
      ['one', undefined],
      ['three', 'three'],
    ]);
    const asked = hook.wakes.filter(({ trigger }) => trigger.type === 'permission_prompt');
    expect(asked).toHaveLength(3);
    expect(new Set(asked.map(({ trigger }) => trigger.request)).size).toBe(3);
  });
});

/** The commands of a message, without the notes. */
const commandsOf = (message: string): string[] =>
  (message.split('[AVAILABLE ACTIONS]\n')[1] ?? '').split('\n').filter(line => line.startsWith('drover '));

/** Runs a command of a message exactly as written there. */
const pasted = ({ run }: World, command: string) =>
  run('sh', ['-c', `drover() { '${process.execPath}' '${MAIN}' "$@"; }\n${command || 'exit 99'}`]);
