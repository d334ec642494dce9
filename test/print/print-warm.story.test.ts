/** `drover print --warm`: a CLI from the daemon's pool, one prompt each, without leftovers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { edges, newest } from '../rig/cli.ts';
import { awaitNothingLeft, startPrint, transcriptOf } from '../rig/print.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const warm = (opened: World, args: string[], input = '') =>
  startPrint(opened, ['--warm', '--verbose', ...args], { input }).ended;

const pooled = async (opened: World, size: number) => {
  writeFileSync(join(opened.droverHome, 'config.json'), JSON.stringify({ warm: { size } }));
  return opened.daemon();
};

const isReady = (opened: World, wanted: number) =>
  until(
    20_000,
    () => `fewer than ${wanted} ready`,
    async () => {
      const { stdout } = await opened.drover('status', '--json');
      return JSON.parse(stdout).warm.ready >= wanted ? true : undefined;
    },
  );

describe.each(edges)('Claude Code %s', version => {
  test('the pool learns which sessions are used, serves one prompt each, and is refilled', async () => {
    const opened = await world({ version });
    const daemon = await pooled(opened, 1);
    const first = await warm(opened, ['SAY one']);
    expect(first).toMatchObject({
      code: 0,
      stdout: 'one\n',
      stderr: expect.stringContaining('cold run: none'),
    });
    const ids = new Set<string>();
    for (const [prompt, said] of [
      ['SAY two', 'two'],
      ['/nosuch\nSAY Ünï "three" \\', 'Ünï "three" \\'],
    ] as const) {
      await isReady(opened, 1);
      const { code, stdout, stderr } = await warm(opened, ['-o', 'json'], prompt);
      expect([code, stderr]).toEqual([0, expect.stringContaining('warm run')]);
      expect(JSON.parse(stdout)).toMatchObject({ result: said, num_turns: 1, claude_version: version });
      ids.add(JSON.parse(stdout).session_id);
    }
    expect(ids.size).toBe(2);
    await isReady(opened, 1);
    const text = await warm(opened, ['SAY four']);
    expect(text).toMatchObject({ code: 0, stdout: 'four\n', stderr: expect.stringContaining('warm run') });
    await isReady(opened, 1);
    const streamed = await warm(opened, ['RUN echo hi', '-o', 'stream-json']);
    const { sessionId } = JSON.parse(streamed.stdout.split('\n')[0] ?? '') as { sessionId: string };
    expect(streamed.stdout).toBe(transcriptOf(opened, sessionId));
    expect(streamed.stdout).toContain('"text":"done"');
    await isReady(opened, 1);
    await daemon.stop();
    await awaitNothingLeft(opened);
  });
});

test('a request that does not match starts cold; a crash of the daemon leaves nothing and ends no run', async () => {
  const opened = await world({ version: newest });
  const why = async (...args: string[]) => (await warm(opened, ['SAY hi', ...args])).stderr;
  expect(await why()).toContain('cold run: the daemon is not running');
  const daemon = await pooled(opened, 2);
  await why();
  await isReady(opened, 2);
  expect(await why('--session-id', '5eed0001-0000-4000-8000-000000000000')).toContain('name a session');
  expect(await why('--model', 'claude-sonnet-4-6')).toContain('cold run: none');
  await isReady(opened, 2);
  // The run runs on its own by now: neither the crash nor the pool's cleanup process ends it.
  const long = startPrint(opened, ['--warm', '--verbose', 'SLEEP 3000 SAY survived']);
  await opened.model.asked(({ prompt, turn }) => turn && (prompt?.includes('survived') ?? false));
  await isReady(opened, 1);
  await daemon.kill9();
  expect(await long.ended).toMatchObject({
    code: 0,
    stdout: 'survived\n',
    stderr: expect.stringContaining('warm run'),
  });
  await awaitNothingLeft(opened);
});
