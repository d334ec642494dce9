/** Background shells: a dev server that keeps running does not keep the end of a turn from you. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { edges } from '../rig/cli.ts';
import { hubOf } from '../rig/hub.ts';
import { world } from '../rig/story.ts';

describe.each(edges)('Claude Code %s', version => {
  test('a new shell delays the end of a turn, one from an earlier turn does not, and lists show it', async () => {
    const opened = await world({ version, settings: { permissions: { allow: ['Bash(sleep:*)'] } } });
    await writeFile(join(opened.droverHome, 'config.json'), '{"background":{"shellSeconds":3600}}');
    await opened.drover('setup');
    const hub = await hubOf(opened);
    const seat = await opened.claude({ prompt: 'BG sleep 300' });
    const { sessionId: id } = await seat.file(({ status }) => status === 'shell');
    const delayed = await hub.is(id, ({ state }) => state === 'background');
    expect(delayed.tasks).toMatchObject([{ type: 'shell', what: 'sleep 300' }]);
    await seat.type('SAY hello');
    const ended = await hub.is(id, ({ detail }) => detail?.line === 'hello');
    expect(ended).toMatchObject({ state: 'waiting', reason: 'stopped', tasks: [{ what: 'sleep 300' }] });
    expect(ended.permissionMode).toBe('default');
    expect((await opened.drover('ls')).stdout).toContain('(shell: sleep 300) hello');
    expect((await opened.drover('show', id)).stdout).toContain('running   shell: sleep 300');
  });
});
