import { test } from 'vitest';
import { versions } from '../rig/cli.ts';
import { fleetAt } from '../rig/fleet.ts';
import { hasAll, outlinesOf } from '../rig/outlines.ts';
const accept = 'read,queue,answer,drive';
const config = { drive: 'all' };
const say = async (what: string, work: () => Promise<unknown>) => {
  try {
    const r = await work();
    console.log(what, 'OK', typeof r === 'string' ? r : JSON.stringify(r)?.slice(0, 300));
  } catch (error) {
    console.log(what, 'FAILED', String(error).slice(0, 400));
  }
};
test.each([['admin'], ['member']])('old as %s', { timeout: 100_000 }, async as => {
  const old = { main: '/tmp/part/old/dist/main.js' };
  const isAdmin = as === 'admin';
  const { laptop, join } = await fleetAt(versions[1], [], { config, ...(isAdmin && { world: old }) });
  const devbox = await join('devbox', { role: 'seat', accept, config, ...(!isAdmin && { world: old }) });
  await say('accept', async () => (await laptop.world.drover('fleet', 'accept', 'devbox', accept)).stdout);
  const read = await outlinesOf(devbox, 'laptop');
  for (const [from, to] of [
    [devbox, laptop],
    [laptop, devbox],
  ] as const) {
    const w = `${from.name}->${to.name}`;
    await to.world.claude({ prompt: 'SAY one' });
    await to.sees(({ reason, host }) => reason === 'stopped' && (host === null || host === undefined));
    let id = '';
    await say(`${w} row`, async () => {
      const s = await from.sees(({ host, reason }) => host === to.name && reason === 'stopped');
      id = s.id;
      return s.id;
    });
    if (!id) continue;
    await say(`${w} page`, async () => (await from.hub.ask('GET', `/sessions/${id}`)).status);
    await say(
      `${w} send`,
      async () => (await from.hub.send(id, { text: `SAY ${to.name}`, wait: 'answered' })).body,
    );
    for (const path of ['changes', 'screen', 'explain', 'transcript', 'commands'])
      await say(`${w} ${path}`, async () => {
        const r = await from.hub.ask('GET', `/sessions/${id}/${path}`);
        return `${r.status} ${JSON.stringify(r.body).slice(0, 160)}`;
      });
    await say(`${w} next`, async () => (await from.hub.ask('POST', '/queue/next', {})).body);
  }
  await say('outlines', () => hasAll(read, laptop));
  await say(
    'ls',
    async () => (await devbox.world.drover('ls')).stdout + (await laptop.world.drover('ls')).stdout,
  );
  await say(
    'fleet ls',
    async () =>
      (await devbox.world.drover('fleet', 'ls')).stdout + (await laptop.world.drover('fleet', 'ls')).stdout,
  );
  await say('rejected', async () => [(await devbox.fleet()).rejected, (await laptop.fleet()).rejected]);
});
