/** A dialog that Claude Code answers by itself after a while: the countdown is read, shown and first; its end is what it was. */
import { describe, expect, test } from 'vitest';
import { autoVersions } from '../rig/cli.ts';
import { hooksOf } from '../rig/hook.ts';
import { hubOf } from '../rig/hub.ts';
import { world } from '../rig/story.ts';

/** Removes nothing, even if it ran; the CLI takes it for dangerous all the same. */
const command = 'false && rm -rf ~/*';

describe.each(autoVersions)('Auto mode of Claude Code %s', version => {
  test('a request with a deadline is first in the queue with its countdown, and was denied by Claude Code at its end', {
    timeout: 240_000,
  }, async () => {
    const story = await world({ version });
    const { claude, drover } = story;
    await hooksOf(story);
    const hub = await hubOf(story);
    const other = await claude({ prompt: 'RUN touch made' });
    await other.asks('Do you want to proceed?');
    const seat = await claude({ permissionMode: null, prompt: `RUN ${command}` });
    const { sessionId: id } = await seat.file(({ waitingFor }) => waitingFor === 'permission prompt');
    const asked = Date.now();
    const session = await hub.is(id, one => one.deadline !== null);
    // The dialog counts down from two minutes.
    expect((session.deadline ?? 0) - asked).toBeGreaterThan(90_000);
    expect((session.deadline ?? 0) - asked).toBeLessThan(125_000);
    const request = session.requests[0];
    expect(request).toMatchObject({ kind: 'permission', deadline: session.deadline });
    const [first] = (await drover('ls')).stdout.split('\n').slice(1);
    expect(first).toMatch(/needs approval, 1:\d\d left/);
    expect((await drover('show', id)).stdout).toMatch(/needs approval, 1:\d\d left/);
    const queue = await hub.ask<{ items: { session: { id: string } }[] }>('GET', '/queue');
    expect(queue.body.items.map(item => item.session.id)[0]).toBe(id);

    const over = await hub.is(id, one => one.reason === 'stopped', 150_000);
    expect(over.past.find(past => past.id === request?.id)).toMatchObject({ by: 'claude', behavior: 'deny' });
    expect(over).toMatchObject({ deadline: null, denied: { turn: 1, total: 1 } });
    expect((await drover('show', id)).stdout).toContain('nobody answered in time');
  });
});
