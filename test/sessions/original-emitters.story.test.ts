/** The emitters of Trail Boss and claude-code-hub, unchanged but for the port and, in the first case, a token. */
import { chmod, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { LogPage } from '../../src/contract/api.ts';
import type { Queue } from '../../src/contract/queue.ts';
import { newest } from '../rig/cli.ts';
import { hubOf } from '../rig/hub.ts';
import { world } from '../rig/story.ts';

test('a pane that is named by its id alone is found where the session runs, and what comes without a token manages nothing', async () => {
  const opened = await world({ version: newest });
  await writeFile(join(opened.droverHome, 'config.json'), '{"ingest":"open"}');
  const hub = await hubOf(opened);
  const { port } = new URL(hub.url);
  // Another server whose panes have the same ids.
  const another = join(dirname(opened.socket), 'another');
  await opened.run('tmux', ['-S', another, '-f', '/dev/null', 'new-session', '-d', 'sleep 600']);
  opened.closing(async () => void (await opened.run('tmux', ['-S', another, 'kill-server'])));

  const curl = `curl -s -X POST http://localhost:${port}`;
  const trailboss = join(opened.home, 'trailboss-emit.sh');
  const pane = '--data-binary @- -H "X-Tmux-Pane: $TMUX_PANE"';
  await writeFile(trailboss, `#!/bin/sh\n${curl}/event ${pane} -H "Authorization: Bearer ${hub.token}"\n`);
  const collector = join(opened.home, 'emit_event');
  await writeFile(
    collector,
    `#!/bin/sh\n${curl}/events --data-binary @- -H 'Content-Type: application/json'\n`,
  );
  // The other form of Trail Boss's emitter merges the pane into the body.
  const merging = join(opened.home, 'trailboss-merge.sh');
  await writeFile(
    merging,
    `#!/bin/sh\nsed 's/}$/,"pane_id":"'$TMUX_PANE'"}/' | ${curl}/event --data-binary @- -H "Authorization: Bearer ${hub.token}"\n`,
  );
  await chmod(merging, 0o755);
  for (const file of [trailboss, collector]) await chmod(file, 0o755);
  const group = [{ hooks: [trailboss, collector].map(command => ({ type: 'command', command })) }];
  const events = ['PermissionRequest', 'Stop', 'UserPromptSubmit', 'SessionStart', 'SessionEnd'];
  const hooks = Object.fromEntries(events.map(event => [event, group]));
  // Without TMUX the session file does not show the pane either.
  const seat = await opened.claude({ settings: { hooks }, env: { TMUX: '' } });
  await seat.ready();
  await seat.type('RUN touch made');
  await seat.asks('Do you want to proceed?');
  const { sessionId: id } = await seat.file(({ status }) => status === 'waiting');

  const local = await hub.is(id, ({ reason, pane: at }) => reason === 'permission' && Boolean(at?.session));
  expect(local.pane).toMatchObject({ socket: opened.socket, id: seat.pane });
  expect(local.origin).toBeNull();
  expect((await opened.drover('show', id)).stdout).toContain('touch made');

  const unverified = await hub.is(`${id}@unverified`, ({ reason }) => reason === 'permission');
  expect(unverified).toMatchObject({ origin: 'unverified', pane: null, pid: null, transcript: null });
  const { body: log } = await hub.ask<LogPage>('GET', `/log?session=${id}@unverified`);
  const posted = log.events.filter(({ source }) => source === 'hook');
  expect(posted.length).toBeGreaterThan(1);
  for (const { context } of posted) expect(context).toMatchObject({ posted: true, unverified: true });
  // It would be in the queue twice.
  const { body: queue } = await hub.ask<Queue>('GET', '/queue');
  expect(queue.items.map(({ session }) => session.id)).toEqual([id]);
  expect((await hub.send(unverified.id, 'x')).status).toBe(409);
  expect(await hub.answer(unverified.id, { behavior: 'allow' })).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('was reported without a token') } },
  });
  expect((await hub.ask('DELETE', `/sessions/${unverified.id}?force=1`)).status).toBe(409);
  expect((await opened.drover('hold', unverified.id)).code).toBe(6);
  const merged = {
    ...hooks,
    ...Object.fromEntries(events.map(event => [event, [{ hooks: [{ type: 'command', command: merging }] }]])),
  };
  const second = await opened.claude({ settings: { hooks: merged }, env: { TMUX: '' } });
  const { sessionId: mergedId } = await second.file(({ status }) => status === 'idle');
  expect((await hub.is(mergedId, ({ pane: at }) => Boolean(at?.session))).pane?.id).toBe(second.pane);
  // A long message is complete where one session is shown.
  const said = `${'long '.repeat(4_000)}and this is its end`;
  const other = 'bbbbbbbb-0000-4000-8000-000000000001';
  await hub.ask('POST', '/event', {
    session_id: other,
    hook_event_name: 'Stop',
    last_assistant_message: said,
  });
  await hub.is(other, ({ state }) => state === 'waiting');
  expect((await opened.drover('show', other)).stdout).toMatch(/long and this is its end\n$/);
});
