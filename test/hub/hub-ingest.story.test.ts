/** A hub that runs elsewhere, as in a container, and emitters on the host that send no token: they come through a mapped port. */
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newest } from '../rig/cli.ts';
import { noNetwork, openNetwork } from '../rig/network.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

const reason = noNetwork();

describe.skipIf(reason !== undefined)('a hub in a network of its own', () => {
  test('hooks on the host reach it without a token once its config names the address of the port mapping', async () => {
    const network = await openNetwork();
    onTestFinished(() => network.close());
    const hub = await world({ version: newest, network });
    const host = await world({ version: newest });
    const port = network.port;
    const mapped = createServer(socket => {
      const inner = connect(port, network.address);
      socket.pipe(inner).pipe(socket);
      for (const end of [socket, inner]) end.on('error', () => {}).on('close', () => end.destroy());
    });
    await new Promise<void>(done => mapped.listen(0, '127.0.0.1', done));
    onTestFinished(() => void mapped.close());
    const outside = `localhost:${(mapped.address() as AddressInfo).port}`;
    const subnet = `${network.address}/24`;
    const config = { ingest: 'open', allowHosts: [outside], autostart: false };
    const file = join(hub.droverHome, 'config.json');
    await writeFile(file, JSON.stringify(config));
    await hub.daemon({ port, args: ['--host', '0.0.0.0', '--i-understand'] });

    // As claude-code-hub ships it: the payload as it is, no token.
    const emitter = join(host.home, 'emit_event.sh');
    await writeFile(
      emitter,
      `curl -s -m 2 -X POST "$CLAUDE_HUB_COLLECTOR_URL/events" --data-binary @-; exit 0\n`,
    );
    const posted = async (name: string) => {
      const body = { session_id: 'aaaaaaaa-0000-4000-8000-000000000001', hook_event_name: name };
      const sent = await fetch(`http://${outside}/events`, { method: 'POST', body: JSON.stringify(body) });
      return sent.status;
    };
    expect(await posted('SessionStart')).toBe(401);
    await writeFile(file, JSON.stringify({ ...config, ingestFrom: [subnet] }));
    await until(
      10_000,
      () => 'still refused',
      async () => (await posted('SessionStart')) === 200 || undefined,
    );

    const events = ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd'];
    const group = [{ hooks: [{ type: 'command', command: `sh ${emitter} >/dev/null 2>&1` }] }];
    const hooks = Object.fromEntries(events.map(event => [event, group]));
    const env = { CLAUDE_HUB_COLLECTOR_URL: `http://${outside}` };
    const seat = await host.claude({ prompt: 'SAY from the host', settings: { hooks }, env });
    const { sessionId } = await seat.file(({ status }) => status === 'idle');
    const shown = await until(
      20_000,
      () => 'the hub has not heard of the session',
      async () => {
        const { stdout } = await hub.drover('show', `${sessionId}@unverified`);
        return stdout.includes('from the host') ? stdout : undefined;
      },
    );
    expect(shown).toContain('unverified');
    // Nothing else than events is open to it.
    expect((await fetch(`http://${outside}/sessions`)).status).toBe(401);
  });
});
