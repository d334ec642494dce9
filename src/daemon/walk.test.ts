import { readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestServer } from '../testing/server.ts';

const spoolFile = (name: string): Buffer => {
  const head = ['drover1', name, '', '', '', '', '4321', '', 'cli', '', '', '', ''].join('\0');
  const payload = { session_id: 'aaaaaaaa-0000-4000-8000-000000000001', hook_event_name: name, cwd: '/work' };
  return Buffer.from(`${head}\0\n${JSON.stringify(payload)}\0end\n`);
};

/** The files of src that run any function while `work` runs. */
const filesOf = async (work: () => Promise<unknown>): Promise<Set<string>> => {
  const inspector = new Session();
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true });
  await inspector.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  inspector.disconnect();
  const ran = result.filter(({ functions }) =>
    functions.some(
      ({ functionName, ranges }) => functionName !== '' && ranges.some(({ count }) => count > 0),
    ),
  );
  return new Set(ran.map(({ url }) => url.slice(url.lastIndexOf('/src/') + 1)));
};

test('an event goes through every file of the walk in ARCHITECTURE.md', async () => {
  const server = await openTestServer();
  await server.receive.start();
  const stream = await server.follow('/events');
  await stream.next(frame => frame.event === 'state');
  const ran = await filesOf(async () => {
    writeFileSync(join(server.paths.spool, '4321.1.ev'), spoolFile('Stop'));
    await stream.next(frame => frame.event === 'hook');
  });
  const [walk = ''] = readFileSync('docs/ARCHITECTURE.md', 'utf8').split('`src/daemon/views.ts` lists');
  const named = [...walk.matchAll(/^\d+\. `(src\/[^`]+\.ts)`/gm)].map(match => match[1] as string);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(file => !ran.has(file))).toEqual([]);
});
