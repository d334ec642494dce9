/** A message whose sender waits while the daemon is started again. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DroverError } from '../contract/error.ts';
import type { Receipt } from '../contract/hub.ts';
import type { Daemon } from './daemon.ts';
import { sendAndWait } from './send-and-wait.ts';

const body = { text: 'hello', as: 'text', timeout: 60, wait: 'answered' } as const;
const never = new AbortController().signal;

interface Sent {
  headers: Record<string, string>;
  body: { timeout: number };
}

/** A daemon that answers these calls in turn. */
const openDaemon = async (...answers: (Partial<Receipt> | DroverError)[]) => {
  const server = createServer((_, response) => response.end('{}'));
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const port = String((server.address() as AddressInfo).port);
  const sent: Sent[] = [];
  const daemon = {
    where: () => ({ hostname: '127.0.0.1', port, headers: { Host: `127.0.0.1:${port}` } }),
    call: (_: string, input: Sent) => {
      sent.push(input);
      const answer = answers.shift();
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  } as unknown as Daemon;
  return { daemon, sent };
};

test('a restart in the middle is waited through, and the message is sent once', async () => {
  const { daemon, sent } = await openDaemon(
    new DroverError('daemon_down'),
    { status: 'submitted', outcome: null },
    { status: 'answered', outcome: 'stopped', answer: 'hi' },
  );
  expect(await sendAndWait('id', body, daemon, never)).toMatchObject({ answer: 'hi' });
  expect(new Set(sent.map(({ headers }) => headers['Idempotency-Key'])).size).toBe(1);
  expect(sent.map(({ body: { timeout } }) => timeout <= 60)).toEqual([true, true, true]);
});

test.each([
  [{ status: 'typed', outcome: null }, { wait: 'typed' }],
  [{ status: 'submitted', outcome: null }, { wait: 'typed' }],
  [{ status: 'unknown', outcome: null }, {}],
  [{ status: 'submitted', outcome: 'interrupted' }, {}],
  [{ status: 'submitted', outcome: 'failed' }, {}],
  [{ status: 'submitted', outcome: null }, { as: 'command' }],
] as const)('%j is the end of a wait for %j', async (receipt, wanted) => {
  const { daemon, sent } = await openDaemon(receipt);
  expect(await sendAndWait('id', { ...body, ...wanted }, daemon, never)).toEqual(receipt);
  expect(sent).toHaveLength(1);
});

test('the time is over, and a refusal ends it at once', async () => {
  const late = await openDaemon({ status: 'queued', outcome: null });
  expect(await sendAndWait('id', { ...body, timeout: 0.000_001 }, late.daemon, never)).toEqual({
    status: 'queued',
    outcome: null,
  });
  const { daemon } = await openDaemon(new DroverError('refused', 'not now'));
  await expect(sendAndWait('id', body, daemon, never)).rejects.toThrow('not now');
});

test('a daemon that accepts connections and does not answer is not waited for after the call was cancelled', async () => {
  const server = createServer(() => {});
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  const port = String((server.address() as AddressInfo).port);
  const daemon = {
    where: () => ({ hostname: '127.0.0.1', port, headers: { Host: 'localhost' } }),
    call: () => Promise.reject(new DroverError('daemon_down')),
  } as unknown as Daemon;
  await expect(sendAndWait('id', body, daemon, AbortSignal.timeout(500))).rejects.toThrow('abort');
});

test('an answer that is not the end, and is only repeated, is returned in the end', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const receipt = { status: 'submitted', outcome: null } as const;
  const { daemon, sent } = await openDaemon(...Array.from({ length: 20 }, () => receipt));
  const slow = {
    ...daemon,
    where: () => {
      vi.advanceTimersByTime(20_000);
      return daemon.where();
    },
  };
  expect(await sendAndWait('id', { ...body, timeout: 3_600 }, slow, never)).toEqual(receipt);
  expect(sent).toHaveLength(3);
});
