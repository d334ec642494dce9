import { expect, test, vi } from 'vitest';
import { SendMessage } from '../../contract/hub.ts';
import { emptyMemory, type Folded, noNames } from '../../session/memory.ts';
import { aSession } from '../../testing/session.ts';
import { drivePolicy } from '../drive-policy.ts';
import type { Messages } from './messages.ts';
import { unparkAndSend } from './unpark-and-send.ts';

const setUp = () => {
  const sent: Folded[] = [];
  const messages = {
    send: async (session: Folded) => {
      sent.push(session);
      return { id: 'm', sessionId: session.id };
    },
  } as unknown as Messages;
  const unpark = vi.fn(
    async (session: Folded): Promise<Folded> => ({ ...session, state: 'ready', parked: false }),
  );
  const send = unparkAndSend(
    messages,
    drivePolicy(
      () => 'managed',
      () => false,
    ),
    unpark,
  );
  return { sent, unpark, send };
};

const parked = (managed: boolean): Folded => ({
  ...aSession({ state: 'ended', reason: 'exit', parked: true, managed }),
  names: noNames,
  memory: emptyMemory(0),
});
const body = (text: string) => SendMessage.parse({ text });

test('a parked session is started before the message is sent to it', async () => {
  const { sent, unpark, send } = setUp();
  await send(parked(true), body('go on'), null);
  expect(unpark).toHaveBeenCalledTimes(1);
  expect(sent).toMatchObject([{ state: 'ready', parked: false }]);
});

test('a message that would be refused starts nothing', async () => {
  const { sent, unpark, send } = setUp();
  await expect(send(parked(false), body('go on'), null)).rejects.toMatchObject({ code: 'refused' });
  await expect(send({ ...parked(true), next: 'other' }, body('go on'), null)).rejects.toMatchObject({
    code: 'refused',
  });
  expect([sent, unpark.mock.calls]).toEqual([[], []]);
});

test('any other session gets its message as it is', async () => {
  const { sent, unpark, send } = setUp();
  await send({ ...parked(true), state: 'waiting', parked: false }, body('hello'), null);
  expect([sent.length, unpark.mock.calls.length]).toEqual([1, 0]);
});
