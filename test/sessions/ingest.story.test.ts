/** Events by POST: the holder of a token reports its own sessions, and affects none of this machine. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import type { SessionPage } from '../../src/contract/api.ts';
import { newest } from '../rig/cli.ts';
import { type Hub, hubOf } from '../rig/hub.ts';
import { subscribe } from '../rig/sse.ts';
import { world } from '../rig/story.ts';
import type { World } from '../rig/world.ts';

/** The owner's token, and one that may do nothing but post events. */
const tokensOf = async (opened: World, hub: Hub) => {
  const { stdout } = await opened.drover('token', 'add', 'devbox', '--scope', 'ingest');
  return [
    { token: hub.token, origin: 'evil' },
    { token: stdout.trim(), origin: 'devbox' },
  ];
};

const post = async ({ url }: Hub, token: string, payload: object, headers: Record<string, string> = {}) => {
  const all = { Authorization: `Bearer ${token}`, ...headers };
  const { status } = await fetch(`${url}/event`, {
    method: 'POST',
    headers: all,
    body: JSON.stringify(payload),
  });
  expect(status).toBe(200);
};

const facts = ({ id, host, origin, pid, pane, state, reason, transcript, cwd, dir }: SessionPage) => ({
  id,
  host,
  origin,
  pid,
  pane,
  state,
  reason,
  transcript,
  cwd,
  dir,
});

// One version: what is posted comes from no CLI.
describe.each([newest])('Claude Code %s', version => {
  test('a POST with the id of a live session does not affect it, and opens no file that it names', async () => {
    const opened = await world({ version });
    await opened.drover('setup');
    const hub = await hubOf(opened);
    const seat = await opened.claude({ prompt: 'SAY mine' });
    await seat.sees('mine');
    const { sessionId: id } = await seat.file(({ status }) => status === 'idle');
    await hub.is(id, ({ state, pane }) => state === 'waiting' && Boolean(pane?.session));
    const before = facts(await hub.read(id));
    expect(before).toMatchObject({ host: null, origin: null, reason: 'stopped' });
    // A reader that opened this would wait for a writer for ever.
    const trap = join(opened.root, 'trap');
    await opened.run('mkfifo', [trap]);
    for (const { token, origin } of await tokensOf(opened, hub)) {
      const common = { session_id: id, transcript_path: trap, cwd: trap };
      const headers = {
        'X-Drover-Host': 'evil',
        'X-Claude-Pid': String(process.pid),
        'X-Tmux': '/tmp/evil,1,0',
        'X-Tmux-Pane': '%9',
        'X-Claude-Project-Dir': trap,
      };
      for (const fields of [
        { hook_event_name: 'SessionStart', source: 'resume' },
        { hook_event_name: 'Stop', last_assistant_message: 'evil' },
        { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: 'rm -rf /' } },
      ])
        await post(hub, token, { ...common, ...fields }, headers);
      const told = await hub.is(`${id}@${origin}`, ({ reason }) => reason === 'permission');
      expect(told).toMatchObject({
        origin,
        host: 'evil',
        pid: null,
        pane: null,
        transcript: null,
        cwd: trap,
      });
      expect(told).toMatchObject({ managed: false, driven: false });
      expect((await hub.ask('GET', `/sessions/${id}@${origin}/transcript`)).status).toBe(404);
      expect((await opened.drover('send', `${id}@${origin}`, 'x')).code).toBe(6);
      expect((await opened.drover('hold', `${id}@${origin}`)).code).toBe(6);
      expect((await opened.drover('go', `${id}@${origin}`)).stderr).toContain('runs on evil');
      await post(hub, token, { ...common, hook_event_name: 'SessionEnd', reason: 'other' }, headers);
      expect(await hub.is(`${id}@${origin}`, ({ state }) => state === 'ended')).toBeDefined();
    }
    expect(facts(await hub.read(id))).toEqual(before);
    expect(facts(await hub.read(shortId(id)))).toEqual(before);
    const shown = await opened.drover('show', id);
    expect([shown.code, shown.stdout.includes(seat.pane)]).toEqual([0, true]);
    // A writer that does not wait finds no reader.
    await expect(open(trap, constants.O_WRONLY | constants.O_NONBLOCK)).rejects.toThrow('ENXIO');
    expect((await fetch(`${hub.url}/healthz`)).status).toBe(200);
    await seat.type('SAY still mine');
    await hub.is(id, ({ detail }) => detail?.line === 'still mine');
  });

  test('a POST with the process of a managed session inherits nothing from it', async () => {
    const opened = await world({ version });
    await opened.drover('setup');
    const hub = await hubOf(opened);
    const { body: managed } = await hub.create();
    expect(managed).toMatchObject({ managed: true });
    for (const { token } of await tokensOf(opened, hub)) {
      const id = randomUUID();
      const place = {
        'X-Claude-Pid': String(managed.pid),
        'X-Tmux': `${managed.pane?.socket},${managed.pane?.serverPid},0`,
        'X-Tmux-Pane': managed.pane?.id ?? '',
      };
      await post(hub, token, { session_id: id, hook_event_name: 'SessionStart', source: 'clear' }, place);
      await post(hub, token, { session_id: id, hook_event_name: 'Stop' }, place);
      expect(await hub.read(id)).toMatchObject({ managed: false, driven: false, pid: null, pane: null });
      expect((await hub.send(id, 'x')).status).toBe(409);
      expect((await hub.ask('POST', `/sessions/${id}/keys`, { keys: ['Enter'] })).status).toBe(409);
      const end = { session_id: managed.id, hook_event_name: 'SessionEnd', reason: 'other' };
      await post(hub, token, end, place);
    }
    const after = await hub.read(managed.id);
    expect(after).toMatchObject({
      managed: true,
      pid: managed.pid,
      pane: { id: managed.pane?.id },
      next: null,
    });
    expect(after.state).not.toBe('ended');
    const { body: receipt } = await hub.send(managed.id, { text: 'SAY here', wait: 'answered' });
    expect(receipt).toMatchObject({ status: 'answered' });
  });

  test('a session on another host posts with an ingest token, and is found by its own id', async () => {
    const there = await world({ version });
    const hub = await hubOf(there);
    const [, devbox] = await tokensOf(there, hub);
    const here = await world({ version });
    await here.drover('setup');
    const env = { DROVER_URL: hub.url, DROVER_TOKEN: devbox?.token ?? '' };
    const seat = await here.claude({ prompt: 'SAY from afar', env });
    await seat.sees('from afar');
    const { sessionId: id } = await seat.file(({ status }) => status === 'idle');
    const told = await hub.is(id, ({ state }) => state === 'waiting');
    expect(told).toMatchObject({ id: `${id}@devbox`, origin: 'devbox', pane: null, pid: null });
    const stream = await subscribe(hub.url, hub.token, { path: `/sessions/${id}/events`, after: 0 });
    const stop = await stream.next(({ data }) => data.includes('"Stop"'));
    expect(JSON.parse(stop.data)).toMatchObject({ session_id: id, last_assistant_message: 'from afar' });
    expect((await there.drover('ls')).stdout).toMatch(new RegExp(`${shortId(id)} .* devbox`));
    expect((await there.drover('show', id)).stdout).toContain('origin    devbox');
    // The token can do nothing else.
    const headers = { Authorization: `Bearer ${devbox?.token}` };
    expect((await fetch(`${hub.url}/sessions`, { headers })).status).toBe(403);
  });
});
