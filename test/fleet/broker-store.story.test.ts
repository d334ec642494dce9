/** What rests on the broker, and what only passes through it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Receipt } from '../../src/contract/hub.ts';
import { subjectsOf } from '../../src/fleet/subjects.ts';
import { newest } from '../rig/cli.ts';
import { brokerOfTest, fleetAt, noFleet } from '../rig/fleet.ts';
import { awaitAllOutlines, outlinesOf } from '../rig/outlines.ts';
import { until } from '../rig/within.ts';

const marker = 'marker-4711';
const title = 'Title-0815';

describe.skipIf(noFleet !== undefined)('with nats-server', () => {
  test('a command that waits for approval is read and answered from another host, and is nowhere in the store of the broker', {
    timeout: 120_000,
  }, async () => {
    const broker = await brokerOfTest();
    const { laptop, join: joinFleet } = await fleetAt(newest, [broker.url]);
    const devbox = await joinFleet('devbox', {
      accept: 'read,queue,answer,drive',
      config: { drive: 'all' },
    });
    const { fleet, hosts } = await laptop.fleet();
    const { root } = subjectsOf(fleet ?? '');
    const isStored = (subject: string) => /^(?:row|host|log|roster)\./.test(subject.slice(root.length + 1));
    /** The subjects of all messages with this text that somebody published or was delivered. */
    const subjectsWith = { [marker]: [] as string[], [title]: [] as string[] };
    const tap = await connect({ servers: broker.url });
    onTestFinished(() => tap.close());
    tap.subscribe('>', {
      callback: (_, { subject, data }) => {
        for (const [text, subjects] of Object.entries(subjectsWith))
          if (Buffer.from(data).includes(text)) subjects.push(subject);
      },
    });
    await tap.flush();
    const read = await outlinesOf(laptop, 'devbox');

    const seat = await devbox.world.claude({ prompt: 'SAY hello' });
    const { id: there } = await laptop.sees(({ host, reason }) => host === 'devbox' && reason === 'stopped');
    expect((await laptop.world.drover('rename', there, title)).code).toBe(0);
    await laptop.sees(session => session.title === title);
    // The message, sent from the laptop, becomes the prompt and the command that waits.
    const command = `RUN touch ${marker}`;
    const sent = await laptop.hub.send(there, { text: command, wait: 'submitted' });
    expect(sent.body).toMatchObject({ sessionId: there, status: 'submitted' });
    await seat.asks('Do you want to proceed?');
    const asking = await laptop.sees(session => session.id === there && session.requests.length > 0);
    expect(asking.requests[0]?.line).toContain(marker);

    /** Reads from the laptop until the marker is in the answer. */
    const shows = (path: string) =>
      until(
        10_000,
        () => `${path} does not show the command`,
        async () => {
          const { status, body } = await laptop.hub.ask('GET', path);
          return (status === 200 && JSON.stringify(body).includes(marker)) || undefined;
        },
      );
    const request = asking.requests[0]?.id ?? 0;
    await shows('/sessions?state=waiting');
    await shows(`/sessions/${there}`);
    await shows(`/sessions/${there}/requests/${request}`);
    await shows(`/sessions/${there}/screen`);
    await shows(`/sessions/${there}/transcript`);
    await shows(`/log?session=${there}`);
    expect((await laptop.world.drover('show', there)).stdout).toContain(marker);
    await awaitAllOutlines(read, devbox);

    /** What is published is there, so the marker would be found too. */
    const isNotKept = async () => {
      await until(
        10_000,
        () => 'the title is not in the store',
        async () => (await broker.countInStore(title)) > 0 || undefined,
      );
      // So are the outlines of events and the members.
      for (const kept of ['"PermissionRequest"', '"isRevoked":false'])
        expect([kept, (await broker.countInStore(kept)) > 0]).toEqual([kept, true]);
      expect(await broker.countInStore(marker)).toBe(0);
    };
    await isNotKept();

    expect((await laptop.hub.answer(there, { id: request, behavior: 'allow' })).status).toBe(200);
    await laptop.sees(session => session.id === there && session.reason === 'stopped');
    expect(existsSync(join(devbox.world.dir(), marker))).toBe(true);
    await until(
      10_000,
      () => 'the receipt of the message does not say that it was answered',
      async () => {
        const { body } = await laptop.hub.ask<Receipt>('GET', `/messages/${sent.body.id}?host=devbox`);
        return body.status === 'answered' || undefined;
      },
    );
    await awaitAllOutlines(read, devbox);

    // Everything passed through the broker, on subjects that no stream keeps.
    await tap.flush();
    const host = (name: string) => hosts.find(one => one.name === name)?.id ?? '';
    expect(subjectsWith[marker]).toContain(`${root}.do.${host('devbox')}.${host('laptop')}`);
    expect(subjectsWith[marker].some(subject => subject.startsWith('_INBOX'))).toBe(true);
    expect(subjectsWith[marker].filter(isStored)).toEqual([]);
    expect(subjectsWith[title].some(isStored)).toBe(true);
    await broker.stop();
    await isNotKept();
  });
});
