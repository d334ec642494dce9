/** `drover print --on-permission hold`: requests of a run are answered through the daemon. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import { edges } from '../rig/cli.ts';
import { awaitNothingLeft, startPrint } from '../rig/print.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

interface Listed {
  id: string;
  dir: string | null;
  headless: boolean;
  pending: { tool: string } | null;
}

const hold = ['--permission-mode', 'default', '--on-permission', 'hold', '--timeout', '40'];

/** The run of this world that waits for an answer. */
const asking = (opened: World): Promise<Listed> =>
  until(
    15_000,
    () => 'nothing is held',
    async () => {
      const { stdout } = await opened.drover('ls', '--all', '--json');
      return (JSON.parse(stdout) as { sessions: Listed[] }).sessions.find(({ pending }) => pending !== null);
    },
  );

describe.each(edges)('Claude Code %s', version => {
  test('a held run is known to the daemon, is in no queue, and continues when it is answered', async () => {
    const opened = await world({ version });
    const daemon = await opened.daemon();
    // Without `drover setup`: a run brings the hooks that it needs.
    const allowed = startPrint(opened, ['RUN touch allowed', ...hold]);
    const first = await asking(opened);
    expect(first).toMatchObject({ headless: true, pending: { tool: 'Bash' } });
    expect(JSON.parse((await opened.drover('status', '--json')).stdout).sessions.waiting).toBe(0);
    expect((await opened.drover('answer', first.id, 'allow')).code).toBe(0);
    expect(await allowed.ended).toMatchObject({ code: 0, stdout: 'done\n' });
    expect(existsSync(join(opened.dir(), 'allowed'))).toBe(true);

    const denied = startPrint(opened, ['RUN touch denied', ...hold, '-o', 'json', '--no-inherit-hooks']);
    expect((await opened.drover('answer', (await asking(opened)).id, 'deny')).code).toBe(0);
    const { code, stdout } = await denied.ended;
    expect([code, JSON.parse(stdout).result]).toEqual([0, 'done']);
    expect(existsSync(join(opened.dir(), 'denied'))).toBe(false);

    const alone = startPrint(opened, ['RUN touch alone', ...hold]);
    const { id } = await asking(opened);
    await daemon.stop();
    expect(await alone.ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/asks about Bash .*this request is not held/),
    });
    expect((await alone.ended).stderr.includes(`drover answer ${shortId(id)}`)).toBe(true);
    await awaitNothingLeft(opened);
  });
});
