/** Many wakes at once, and a daemon killed with a full outbox: no wake is lost or repeated. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Session } from '../../src/contract/session.ts';
import type { Wake } from '../../src/contract/wake.ts';
import { fakeAgent } from '../rig/agent.ts';
import { newest } from '../rig/cli.ts';
import { hookPane, hooksOf, type Payload, sessionId } from '../rig/hook.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

/** This many sessions in a pane that an agent watches, each in the middle of a turn. */
const crowd = async (count: number, agentDoes?: string) => {
  const story = await world({ version: newest });
  const agent = await fakeAgent(story, agentDoes?.replaceAll('ROOT', story.root));
  const agents = [{ agent_id: 'warden', tmux_session_name: 'crowd', openclaw_session_id: 'oc' }];
  await writeFile(join(story.droverHome, 'config.json'), JSON.stringify({ agents }));
  const hooks = await hooksOf(story);
  const daemon = await story.daemon();
  const { env } = await hookPane(story, 'crowd');
  // A process for each, because a process has one session.
  const sleepers = 'for n in $(seq "$0"); do sleep 600 >/dev/null 2>&1 & echo $!; done';
  const { stdout: started } = await story.run('sh', ['-c', sleepers, String(count)]);
  const pids = started.trim().split('\n').map(Number);
  const all = Array.from({ length: count }, (_, n) => n + 1);
  const payload = (n: number, hook_event_name: string): Payload => ({
    session_id: sessionId(n),
    hook_event_name,
    cwd: story.dir(),
    ...(hook_event_name === 'Stop' && { last_assistant_message: `said ${n}.` }),
  });
  const fire = (name: string, numbers = all) =>
    hooks.fireAll(
      numbers.map(n => ({ payload: payload(n, name), pid: pids[n - 1] as number })),
      { env },
    );
  /** A prompt in each of them, and the daemon knows of it, and in which tmux session that was. */
  const prompt = async (numbers = all) => {
    await fire('UserPromptSubmit', numbers);
    await until(
      20_000,
      () => 'not all of them work',
      async () => {
        const { sessions } = JSON.parse((await story.drover('ls', '--json')).stdout) as {
          sessions: Session[];
        };
        const known = sessions
          .filter(({ pane, state }) => pane?.session === 'crowd' && state === 'working')
          .map(({ id }) => id);
        return numbers.every(n => known.includes(sessionId(n))) || undefined;
      },
    );
  };
  await prompt();
  const wakes = async (): Promise<Wake[]> =>
    (await story.drover('wake', 'log', '--json', '--last', '1000')).stdout
      .split('\n')
      .filter(line => line.startsWith('{'))
      .map(line => JSON.parse(line) as Wake);
  /** The wakes, once all of them are finished. */
  const over = () =>
    until(
      30_000,
      () => 'not all were told',
      async () => {
        const rows = await wakes();
        const open = rows.filter(({ status }) => status !== 'delivered' && status !== 'dropped');
        return rows.length >= count && open.length === 0 ? rows : undefined;
      },
    );
  return { story, agent, daemon, fire, prompt, wakes, over, all };
};

/** The sessions that a message names: all of them unless it is a digest, up to 100 of a digest, and how many it counts. */
const readMessage = (message: string) => {
  const digest = /^(\d+) wakes of (\d+) sessions at once$/m.exec(message);
  const sessions = digest
    ? [...message.matchAll(/^(5eed\S+) {2}/gm)].map(([, id]) => id as string)
    : [...message.matchAll(/^session: (\S+)$/gm)].map(([, id]) => id as string);
  return { digest: digest !== null, count: digest ? Number(digest[1]) : sessions.length, sessions };
};

test('200 sessions that stop within a second become a few messages and one digest that cover all of them', async () => {
  const { agent, fire, over, all } = await crowd(200);
  await fire('Stop');
  const wakes = await over();
  const messages = (await agent.calls()).map(({ message }) => readMessage(message));
  expect(messages.map(({ digest }) => digest).indexOf(true)).toBe(messages.length - 1);
  expect(messages.length).toBeLessThanOrEqual(4);
  expect(messages.reduce((sum, { count }) => sum + count, 0)).toBe(200);
  const told = messages.flatMap(({ sessions }) => sessions);
  expect(new Set(told).size).toBe(told.length);
  const last = messages.at(-1);
  expect(last?.sessions).toHaveLength(100);
  // The command in the digest lists them one by one, with the 100 that it has no line for.
  expect(new Set(wakes.map(({ sessionId: id }) => id))).toEqual(new Set(all.map(sessionId)));
  expect(wakes).toHaveLength(200);
  expect(wakes.filter(({ together }) => together === last?.count)).toHaveLength(last?.count ?? 0);
  expect(wakes.filter(({ tries, status }) => tries !== 1 || status !== 'delivered')).toEqual([]);
});

test('a daemon killed with a full outbox and a busy agent delivers each wake once, also of a turn that was overtaken', async () => {
  const busy = "until [ -e 'ROOT/go' ]; do sleep 0.05; done";
  const { story, agent, daemon, fire, prompt, wakes, over, all } = await crowd(60, busy);
  await fire('Stop', [1]);
  await agent.woken(message => message.includes('\nsaid 1.\n'));
  await fire('Stop', all.slice(1, 50));
  await until(
    10_000,
    () => 'they are not in the outbox',
    async () => (await wakes()).filter(({ status }) => status === 'pending').length === 49 || undefined,
  );
  await daemon.kill9();
  // A Stop while no daemon runs is sent too.
  await fire('Stop', all.slice(50));
  await story.daemon();
  await prompt([50]);
  expect(await agent.calls()).toHaveLength(1);
  await writeFile(join(story.root, 'go'), '');
  const rows = await over();
  expect(rows).toHaveLength(60);
  expect(rows.filter(({ tries, status }) => status !== 'delivered' || tries !== 1)).toEqual([]);
  expect((await story.drover('wake', 'ls')).stdout).toMatch(/^warden +60 live /);
  const messages = (await agent.calls()).map(({ message }) => readMessage(message));
  const told = messages.flatMap(({ sessions }) => sessions);
  expect(told.toSorted()).toEqual(all.map(sessionId));
  expect(messages[0]).toMatchObject({ digest: false, sessions: [sessionId(1)] });
});
