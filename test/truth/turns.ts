/** What happens inside a turn without requests. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Session } from '../../src/contract/session.ts';
import type { World } from '../rig/world.ts';
import { must } from './must.ts';
import type { Scenario, Stage } from './scenario.ts';

const allowed = { settings: { permissions: { allow: ['Bash'] } } };

export const turns: Scenario[] = [
  {
    name: 'start, prompt, stop',
    run: async ({ world, expect, stays }) => {
      const seat = await world.claude();
      await expect('ready');
      await seat.ready();
      await seat.type('SLEEP 500 SAY hello');
      await expect('working');
      const done = await expect('waiting/stopped');
      must(done.detail?.line === 'hello', 'what it said', done.detail);
      must(done.pane?.id === seat.pane && done.hooks === 'live', 'pane and hooks', done);
      await seat.type('SLEEP 500 SAY again');
      await expect('working');
      saying(await expect('waiting/stopped'), 'again');
      await stays('waiting/stopped', 1_000);
    },
  },
  {
    name: 'claude "prompt"',
    run: async ({ world, expect, stays }) => {
      await world.claude({ prompt: 'SLEEP 500 SAY hello' });
      await expect('working', { by: ['ready'] });
      saying(await expect('waiting/stopped'), 'hello');
      await stays('waiting/stopped', 500);
    },
  },
  {
    name: 'Esc before the model answers',
    run: async stage => {
      const seat = await stage.world.claude({ prompt: 'SLEEP 20000 SAY never' });
      await stage.world.model.asked(({ turn }) => turn);
      await seat.sees('esc to interrupt');
      await interrupts(stage, () => seat.press('Escape'));
    },
  },
  {
    name: 'Esc while the model answers',
    run: async stage => {
      const seat = await stage.world.claude({ prompt: 'STREAM 200' });
      await seat.sees('line 5 of');
      await interrupts(stage, () => seat.press('Escape'));
      await seat.ready();
      await seat.type('SLEEP 300 SAY back');
      await stage.expect('working');
      await stage.expect('waiting/stopped');
    },
  },
  {
    name: 'Esc while a tool runs',
    world: allowed,
    run: async stage => {
      const seat = await stage.world.claude({ prompt: 'RUN cat /dev/zero > /dev/null' });
      await seat.sees(/Running|esc to interrupt/);
      await pauseFor(700);
      await interrupts(stage, () => seat.press('Escape'));
    },
  },
  {
    name: 'tool failure',
    world: allowed,
    run: async ({ world, expect }) => {
      await world.claude({ prompt: 'LINGER 500 RUN false' });
      await expect('working', { by: ['ready'] });
      saying(await expect('waiting/stopped'), 'done');
    },
  },
  {
    name: 'API error',
    run: async ({ world, expect, stays }) => {
      const seat = await world.claude({ prompt: 'SLEEP 300 FAIL 400' });
      await expect('working', { by: ['ready'] });
      const failed = await expect('waiting/failed');
      must(/API Error.*400/.test(failed.detail?.line ?? ''), 'the error', failed.detail);
      await stays('waiting/failed', 700);
      await seat.ready();
      await seat.type('SLEEP 300 SAY better');
      await expect('working');
      await expect('waiting/stopped');
    },
  },
  {
    name: "a Stop blocked by the user's own hook",
    world: {
      settings: {
        hooks: {
          Stop: [
            hook(
              `test -e "$HOME/once" || { touch "$HOME/once"; printf %s '{"decision":"block","reason":"Go on:\\nSLEEP 1500 SAY more"}'; }`,
            ),
          ],
        },
      },
    },
    run: async ({ world, expect }) => {
      await world.claude({ prompt: 'SAY first' });
      await expect('working', { by: ['ready'] });
      saying(await expect('waiting/stopped'), 'more');
    },
  },
  {
    name: 'auto-approved tools never flash as waiting',
    run: async ({ world, expect }) => {
      const seat = await world.claude({ prompt: 'LINGER 200 RUN echo 0' });
      await expect('working', { by: ['ready'] });
      await expect('waiting/stopped');
      for (const n of [1, 2, 3, 4]) {
        await seat.ready();
        await seat.type(`LINGER 200 RUN echo ${n}`);
        await expect('working');
        await expect('waiting/stopped');
      }
    },
  },
  {
    name: 'accepted edits never flash as waiting',
    run: async ({ world, expect }) => {
      const prompt = `LINGER 200 WRITE ${join(world.dir(), 'made.txt')} text`;
      await world.claude({ prompt, permissionMode: 'acceptEdits' });
      await expect('working', { by: ['ready'] });
      await expect('waiting/stopped');
      const text = await readFile(join(world.dir(), 'made.txt'), 'utf8');
      must(text === 'text', 'the file was written', text);
    },
  },
  {
    name: "a permission that the user's own hook allows never flashes",
    world: {
      settings: {
        hooks: {
          PermissionRequest: [
            hook(
              `echo '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}'`,
            ),
          ],
        },
      },
    },
    run: async ({ world, expect }) => {
      await world.claude({ prompt: 'LINGER 300 RUN touch made; sleep 1' });
      await expect('working', { by: ['ready'] });
      saying(await expect('waiting/stopped'), 'done');
    },
  },
  {
    name: 'a lost Stop, told by the file',
    run: async ({ world, expect, stays }) => {
      await withoutHook(world, 'Stop');
      await world.claude({ prompt: 'SLEEP 700 SAY hello' });
      await expect('working', { by: ['ready'] });
      saying(await expect('waiting/stopped'), 'hello');
      await stays('waiting/stopped', 1_000);
    },
  },
  {
    name: 'idle_prompt after a lost Stop; auth_success changes nothing',
    run: async ({ daemon, expect, stays }) => {
      const id = 'aaaaaaaa-0000-4000-8000-000000000001';
      const post = (name: string, fields: object = {}) => postHook(daemon(), id, name, fields);
      await post('SessionStart', { source: 'startup', cwd: '/' });
      await expect('ready', { id });
      await post('Notification', { notification_type: 'auth_success', message: 'Signed in' });
      await stays('ready', 400, id);
      await post('UserPromptSubmit', { prompt: 'hello' });
      await expect('working', { id });
      await post('Notification', { notification_type: 'auth_success', message: 'Signed in' });
      await stays('working', 400, id);
      await post('Notification', { notification_type: 'idle_prompt', message: 'Claude waits' });
      await expect('waiting/stopped', { id });
      await post('Notification', { notification_type: 'auth_success', message: 'Signed in' });
      await stays('waiting/stopped', 400, id);
    },
  },
  {
    name: 'PostToolUse after waits that only a Notification reported, without a session file',
    run: async ({ daemon, expect }) => {
      const id = 'aaaaaaaa-0000-4000-8000-000000000002';
      const post = (name: string, fields: object = {}) => postHook(daemon(), id, name, fields);
      await post('SessionStart', { source: 'startup', cwd: '/' });
      await post('UserPromptSubmit', { prompt: 'hello' });
      await expect('working', { id, by: ['ready'] });
      for (const [notification_type, state] of [
        ['permission_prompt', 'waiting/permission'],
        ['elicitation_dialog', 'waiting/elicitation'],
        ['idle_prompt', 'waiting/stopped'],
      ] as const) {
        await post('Notification', { notification_type, message: 'Claude waits' });
        await expect(state, { id });
        await post('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'true' } });
        await expect('working', { id });
      }
    },
  },
  {
    name: 'background shell',
    world: allowed,
    run: async ({ world, expect, stays }) => {
      await world.claude({ prompt: 'BG sleep 4' });
      await expect('working', { by: ['ready'] });
      await expect('background');
      await expect('working');
      await expect('waiting/stopped');
      await stays('waiting/stopped', 1_000);
    },
  },
  {
    name: 'subagent working',
    run: async ({ world, expect, stays }) => {
      await world.claude({ prompt: 'LINGER 500 AGENT SLEEP 5000 SAY from the agent' });
      await expect('working', { by: ['ready'] });
      if (world.version !== '2.1.197') {
        await expect('background');
        await expect('working');
      }
      saying(await expect('waiting/stopped'), 'done');
      await stays('waiting/stopped', 1_000);
    },
  },
];

function saying({ detail }: Session, text: string): void {
  must(detail?.line === text && detail.text === text, `it said ${text}`, detail);
}

function hook(command: string): object {
  return { hooks: [{ type: 'command', command }] };
}

/** `work` ends the turn in a way that fires no hook. */
async function interrupts({ expect, stays }: Stage, work: () => Promise<void>): Promise<void> {
  await expect('working', { by: ['ready'] });
  await work();
  await expect('waiting/interrupted');
  await stays('waiting/interrupted', 700);
}

async function withoutHook(world: World, name: string): Promise<void> {
  const file = join(world.home, '.claude', 'settings.json');
  const settings = JSON.parse(await readFile(file, 'utf8')) as { hooks: Record<string, unknown> };
  delete settings.hooks[name];
  await writeFile(file, JSON.stringify(settings));
}

async function postHook(
  { url, token }: { url: string; token: string },
  id: string,
  name: string,
  fields: object,
): Promise<void> {
  const { status } = await fetch(`${url}/event`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ session_id: id, hook_event_name: name, ...fields }),
  });
  must(status < 300, 'POST /event', status);
}
