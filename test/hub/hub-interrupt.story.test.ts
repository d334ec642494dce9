/** Esc before the first output: Claude Code restores the prompt, where it must not block the next message. */
import { describe, expect, test } from 'vitest';
import type { Receipt } from '../../src/contract/hub.ts';
import type { MenuView } from '../../src/contract/menu.ts';
import { edges } from '../rig/cli.ts';
import { hubOf } from '../rig/hub.ts';
import { world } from '../rig/story.ts';

/** The model has the prompt, and stays silent longer than this test takes. */
const silent = 'SLEEP 60000 SAY nothing';
const rows = `${silent}\nof several rows\n\n  and ${'words '.repeat(60)}`;

describe.each(edges)('Claude Code %s', version => {
  test('an interrupted message does not block the next one', async () => {
    const opened = await world({ version });
    const hub = await hubOf(opened);
    const { id } = (await hub.create()).body;
    const interrupted = async (text: string) => {
      const { body: receipt } = await hub.send(id, { text, wait: 'submitted' });
      await opened.model.asked(({ body }) => JSON.stringify(body.messages).includes('SLEEP 60000'));
      const { status, body } = await hub.ask('POST', `/sessions/${id}/interrupt`);
      expect([status, body]).toMatchObject([200, { state: 'waiting', reason: 'interrupted' }]);
      return receipt.id;
    };
    for (const text of [silent, rows]) {
      const message = await interrupted(text);
      const { body } = await hub.ask<MenuView>('GET', `/sessions/${id}/menu`);
      expect(body).toMatchObject({ shows: 'prompt', draft: '' });
      const { body: receipt } = await hub.ask<Receipt>('GET', `/messages/${message}`);
      expect(receipt).toMatchObject({ status: 'submitted', outcome: 'interrupted', answer: null });
    }
    expect((await hub.send(id, { text: 'SAY next', wait: 'answered' })).body.answer).toBe('next');
    // A queued one comes after it.
    await hub.send(id, { text: silent, wait: 'submitted' });
    const { body: queued } = await hub.send(id, 'SAY after it');
    expect(queued.status).toBe('queued');
    expect((await hub.ask('POST', `/sessions/${id}/interrupt`)).status).toBe(200);
    await expect
      .poll(async () => (await hub.ask<Receipt>('GET', `/messages/${queued.id}`)).body, { timeout: 10_000 })
      .toMatchObject({ status: 'answered', answer: 'after it' });
  });

  test("a person's draft beside it is left alone", async () => {
    const opened = await world({ version });
    const hub = await hubOf(opened);
    const { body: session } = await hub.create();
    await hub.send(session.id, { text: silent, wait: 'submitted' });
    await opened.tmux(['send-keys', '-t', session.pane?.id ?? '', '-l', 'half a thought']);
    await hub.sees(session, 'half a thought');
    expect((await hub.ask('POST', `/sessions/${session.id}/interrupt`)).status).toBe(200);
    const { body } = await hub.ask<MenuView>('GET', `/sessions/${session.id}/menu`);
    expect(body.draft).toContain('half a thought');
    const { status, body: refused } = await hub.send(session.id, 'SAY over it');
    expect([status, refused.error?.message]).toEqual([409, expect.stringContaining('draft')]);
  });
});
