/** Commands to sessions of another host, with the real CLI on both sides. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AuditPage } from '../../src/contract/audit.ts';
import type { Receipt } from '../../src/contract/hub.ts';
import type { Next, QueueItem } from '../../src/contract/queue.ts';
import type { Session } from '../../src/contract/session.ts';
import { makeKey, secretKeyOf } from '../../src/fleet/keys.ts';
import { seal } from '../../src/fleet/envelope.ts';
import { subjectsOf } from '../../src/fleet/subjects.ts';
import { shortId } from '../../src/contract/short-id.ts';
import { newest } from '../rig/cli.ts';
import { brokerOfTest, fleetAt, type Member, noFleet } from '../rig/fleet.ts';
import { until } from '../rig/within.ts';

/** Runs `drover` on a member; throws its error output if it fails. */
const runs = async (member: Member, ...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await member.world.drover(...args);
  if (code !== 0) throw new Error(`drover ${args.join(' ')} on ${member.name}: ${stdout}${stderr}`);
  return stdout;
};

/** Starts a session on devbox from another member; returns its id there. */
const startFrom = async (seat: Member, devbox: Member, ...args: string[]): Promise<string> => {
  const id = randomUUID();
  const where = ['--on', 'devbox', '--dir', devbox.world.dir(), '--id', id, '--permission-mode', 'default'];
  const started = JSON.parse(await runs(seat, 'new', ...where, ...args, '--json')) as Session;
  expect([started.id, started.pane, started.pid]).toEqual([`${id}@devbox`, null, null]);
  return id;
};

describe.skipIf(noFleet !== undefined)('with nats-server', () => {
  test('a session is started, messaged, answered, read, interrupted, stopped and resumed from another host', {
    timeout: 180_000,
  }, async () => {
    const broker = await brokerOfTest();
    const { laptop, join: joinFleet } = await fleetAt(newest, [broker.url]);
    const devbox = await joinFleet('devbox', { accept: 'read,queue,answer,drive' });
    const id = await startFrom(laptop, devbox, '--held');
    const there = `${id}@devbox`;
    await laptop.sees(session => session.id === there && session.state === 'ready');

    const receipt = JSON.parse(
      await runs(laptop, 'send', `${id.slice(0, 4)}@devbox`, 'SAY hello', '--wait', 'answered', '--json'),
    ) as Receipt;
    expect(receipt).toMatchObject({ sessionId: there, status: 'answered', answer: 'hello' });
    const later = await laptop.hub.ask<Receipt>('GET', `/messages/${receipt.id}?host=devbox`);
    // Its times are corrected by the clock difference.
    expect(later.body).toMatchObject({
      id: receipt.id,
      sessionId: there,
      status: 'answered',
      answer: 'hello',
    });
    const text = await runs(laptop, 'show', there);
    expect(text).toContain('on devbox, not on this machine');
    const { body: conversation } = await laptop.hub.ask<{ messages: { text: string }[] }>(
      'GET',
      `/sessions/${there}/transcript`,
    );
    expect(conversation.messages.map(message => message.text)).toEqual(['SAY hello', 'hello']);

    await runs(laptop, 'send', there, 'RUN touch made');
    const asking = await laptop.sees(session => session.id === there && session.requests.length > 0);
    expect(asking.requests[0]?.line).toContain('touch made');
    const request = asking.requests[0]?.id ?? 0;
    await until(
      10_000,
      () => 'the screen does not show the dialog',
      async () => {
        const path = `/sessions/${there}/screen`;
        const { body } = await laptop.hub.ask<{ screen: { text: string } }>('GET', path);
        return body.screen.text.includes('Do you want to proceed?') || undefined;
      },
    );
    expect(existsSync(join(devbox.world.dir(), 'made'))).toBe(false);
    // Also found by the beginning of its id alone.
    await runs(laptop, 'answer', shortId(id), 'allow', '--id', String(request));
    await laptop.sees(session => session.id === there && session.reason === 'stopped');
    expect(existsSync(join(devbox.world.dir(), 'made'))).toBe(true);
    expect(await runs(laptop, 'events', there, '--json')).toContain('"PermissionRequest"');
    const changes = await laptop.hub.ask('GET', `/sessions/${there}/changes`);
    expect([changes.status, changes.body]).toMatchObject([200, { sessionId: there, files: [] }]);
    expect(await runs(laptop, 'changes', there)).not.toBe('');
    expect((await laptop.world.drover('events', there, '--follow')).stderr).toContain('devbox');

    // The session's host grants the claim, and nobody there gets the session meanwhile.
    const { body: claimed } = await laptop.hub.ask<Next>('POST', '/queue/next', { client: 'one' });
    expect(claimed.next?.session.id).toBe(there);
    expect((await devbox.hub.ask<Next>('POST', '/queue/next', { client: 'one' })).body.next).toBeNull();
    expect(await runs(laptop, 'snooze', there, '1h')).toContain(shortId(id));
    await until(
      5_000,
      () => 'the row does not say that it was snoozed',
      async () => {
        const { body } = await laptop.hub.ask<{ items: QueueItem[] }>('GET', '/queue');
        return body.items.find(({ deferred }) => deferred === 'snoozed');
      },
    );

    await runs(laptop, 'send', there, 'SLEEP 60000 SAY late');
    await laptop.sees(session => session.id === there && session.state === 'working');
    await runs(laptop, 'interrupt', there);
    await laptop.sees(session => session.id === there && session.reason === 'interrupted');

    const nowhere = await laptop.world.drover('go', there);
    expect([nowhere.code, nowhere.stderr]).toEqual([6, expect.stringContaining('no SSH address for devbox')]);

    await runs(laptop, 'stop', there);
    await devbox.hub.is(id, ({ state }) => state === 'ended');
    expect(await runs(laptop, 'resume', there)).toContain('on devbox');
    await devbox.hub.is(id, ({ state }) => state === 'ready', 20_000);
    const { body: audit } = await devbox.hub.ask<AuditPage>('GET', '/audit');
    const byHost = audit.entries.filter(({ caller }) => caller.kind === 'host');
    expect(byHost.every(({ caller }) => caller.name?.startsWith('laptop (cli') ?? false)).toBe(true);
    expect(new Set(byHost.map(({ action, result }) => `${action} ${result}`))).toEqual(
      new Set(['create ok', 'message ok', 'answer ok', 'snooze ok', 'interrupt ok', 'stop ok', 'resume ok']),
    );
  });

  test('a seat that may only read cannot act; forged and repeated commands do nothing and are counted', {
    timeout: 150_000,
  }, async () => {
    const broker = await brokerOfTest();
    const { laptop, join: joinFleet } = await fleetAt(newest, [broker.url]);
    const devbox = await joinFleet('devbox', { accept: 'drive,read' });
    const guest = await joinFleet('guest', { role: 'seat' });
    const id = await startFrom(laptop, devbox);
    const there = `${id}@devbox`;
    await guest.sees(session => session.id === there && session.state === 'ready');
    for (const [command, ...args] of [['send', 'SAY no'], ['interrupt'], ['stop']] as [
      string,
      ...string[],
    ][]) {
      const { code, stderr } = await guest.world.drover(command, there, ...args);
      expect([command, code, stderr]).toEqual([
        command,
        7,
        expect.stringContaining('lacks the right `drive`'),
      ]);
    }
    expect((await guest.world.drover('new', '--on', 'devbox')).stderr).toContain('lacks the right `drive`');
    expect((await guest.world.drover('show', there)).code).toBe(0);
    expect((await guest.world.drover('show', `${id}@nowhere`)).code).toBe(4);
    // Devbox is a worker: it sees nobody, and its own commands know no other host.
    expect((await devbox.world.drover('ls', '--json')).stdout).not.toContain('laptop');

    const { fleet, hosts } = await laptop.fleet();
    const hostOf = (name: string) => hosts.find(host => host.name === name)?.id ?? '';
    const subjects = subjectsOf(fleet ?? '');
    const [from, to] = [hostOf('laptop'), hostOf('devbox')];
    const attacker = await connect({ servers: broker.url });
    onTestFinished(() => attacker.close());
    const rejected = async () => (await devbox.fleet()).rejected;
    const isRejected = async (before: number, act: () => void | Promise<void>) => {
      await act();
      await until(
        5_000,
        () => 'it was not counted',
        async () => ((await rejected()) > before ? true : undefined),
      );
    };
    const prompts = async () =>
      (await devbox.hub.ask<{ messages: Receipt[] }>('GET', `/sessions/${id}/messages`)).body.messages.length;

    // A command in the laptop's name, signed by another key.
    const now = Date.now();
    const forged = {
      to,
      route: 'sendMessage',
      params: { id },
      query: {},
      headers: {},
      body: { text: 'SAY forged' },
      caller: { kind: 'cli', name: null, session: null },
      key: randomUUID(),
      at: now,
      expires: now + 10_000,
    };
    const secret = secretKeyOf(makeKey().secret);
    await isRejected(await rejected(), () =>
      attacker.publish(subjects.command(to, from), seal(fleet ?? '', 'do', from, secret, forged)),
    );

    // What the broker itself delivers to the subject of commands: a message that it keeps.
    await isRejected(await rejected(), () =>
      attacker.publish(`$JS.API.DIRECT.GET.${subjects.rowStream}.${subjects.row(to, id)}`, '', {
        reply: subjects.command(to, from),
      }),
    );

    // A real command, recorded and sent again.
    const heard: Uint8Array[] = [];
    const listening = attacker.subscribe(subjects.command(to, from), {
      callback: (_, message) => void heard.push(message.data),
    });
    await attacker.flush();
    expect(await runs(laptop, 'send', there, 'SAY once', '--wait', 'answered')).toContain('once');
    listening.unsubscribe();
    const sent = heard.find(bytes => Buffer.from(bytes).includes('SAY once'));
    expect(sent).toBeDefined();
    await isRejected(await rejected(), () =>
      attacker.publish(subjects.command(to, from), sent, { reply: 'nobody' }),
    );
    // The same command, sent as if it came from another host.
    await isRejected(await rejected(), () => attacker.publish(subjects.command(to, hostOf('guest')), sent));
    expect(await prompts()).toBe(1);
    expect((await laptop.hub.ask('GET', `/sessions/${there}`)).body.reason).toBe('stopped');
  });
});
