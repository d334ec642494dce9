/** The daemon goes while messages are under way: none is lost, none is typed twice, and every receipt tells the truth. */
import { describe, expect, test } from 'vitest';
import type { Receipt } from '../src/contract/hub.ts';
import { versions } from './rig/cli.ts';
import { hubOf } from './rig/hub.ts';
import { world } from './rig/story.ts';
import { until } from './rig/within.ts';
import { soak } from './soak/soak.ts';

describe.each(versions)('Claude Code %s', version => {
  test('the daemon is killed while it types: nothing is typed twice, and the receipt says what happened', async () => {
    const opened = await world({ version });
    const first = await hubOf(opened);
    const { body: session } = await first.create();
    // Answered as soon as it is typed: Enter is on its way.
    const sent = await first.send(session.id, 'SAY once', { 'Idempotency-Key': 'k1' });
    expect(sent.body.status).toMatch(/typed|submitted/);
    await first.kill9();
    const second = await hubOf(opened);
    const receipt = await until(
      15_000,
      () => 'the message is not over',
      async () => {
        const { body } = await second.ask<Receipt>('GET', `/messages/${sent.body.id}`);
        return ['answered', 'unknown', 'refused'].includes(body.status) ? body : undefined;
      },
    );
    expect(receipt).toMatchObject({ status: 'answered', answer: 'once' });
    const same = { text: 'SAY once', wait: 'answered' };
    const again = await second.send(session.id, same, { 'Idempotency-Key': 'k1' });
    expect(again.body.id).toBe(sent.body.id);
    const other = await second.send(session.id, 'SAY other', { 'Idempotency-Key': 'k1' });
    expect(other.status).toBe(409);
    const log = await opened.drover('events', session.id, '--after', '0', '--json');
    const prompts = log.stdout.split('\n').filter(line => line.includes('"UserPromptSubmit"'));
    expect(prompts).toHaveLength(1);
  });
});

test('100 messages to five sessions, the daemon gone three times: none lost, doubled, merged or told falsely', {
  timeout: 180_000,
}, async () => {
  const opened = await world({ version: versions[1] });
  expect(await soak(opened, { sessions: 5, messages: 100, kills: 3 })).toMatchObject({
    lost: [],
    doubled: [],
    merged: [],
    untrue: [],
  });
});
