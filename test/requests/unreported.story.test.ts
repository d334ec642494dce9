/** Requests that no hook has reported: their dialogs were open before the hooks were registered, or there are none. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RequestPage } from '../../src/contract/answer.ts';
import type { SessionPage } from '../../src/contract/api.ts';
import { shortId } from '../../src/contract/short-id.ts';
import { versions } from '../rig/cli.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

/** Awaits the only open request of the session that waits for approval, other than the given one. */
const requestIn = async ({ drover }: World, not = 0): Promise<{ session: string; id: number }> => {
  let last = '';
  return until(
    20_000,
    () => `no other request: ${last}`,
    async () => {
      last = (await drover('ls', '--json')).stdout;
      const { sessions } = JSON.parse(last) as { sessions: SessionPage[] };
      const found = sessions.find(({ requests }) => requests.length === 1 && requests[0]?.id !== not);
      return found && { session: shortId(found.id), id: found.requests[0]?.id ?? 0 };
    },
  );
};

describe.each(versions)('Claude Code %s', version => {
  test('a permission dialog that was open before setup is listed in full, and allowed', async () => {
    const opened = await world({ version, approvals: 'terminal' });
    const { claude, daemon, drover } = opened;
    const seat = await claude({ prompt: 'RUN touch made' });
    await seat.asks('Do you want to proceed?');
    await (await claude({ prompt: 'SAY nothing' })).file(({ status }) => status === 'idle');
    await daemon();
    await drover('setup');
    const { session, id } = await requestIn(opened);
    expect((await drover('show', session)).stdout).toContain('touch made');
    // Both sessions have this name, but only one has a request.
    expect((await drover('answer', 'project')).stdout).toContain('touch made');
    const page = JSON.parse((await drover('answer', session, '--json')).stdout) as RequestPage;
    expect(page).toMatchObject({ id, kind: 'permission', tool: 'Bash', way: 'screen' });
    expect(page.choices.map(({ choice }) => choice)).toEqual(
      expect.arrayContaining(['allow', 'allow_always', 'deny']),
    );
    const { stdout, code } = await drover('answer', session, 'allow', '--id', String(id));
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^allowed Bash: .*touch made/)]);
    await seat.sees('done');
    expect(existsSync(join(opened.dir(), 'made'))).toBe(true);
    const again = await drover('answer', session, 'allow', '--id', String(id));
    expect([again.code, again.stderr]).toEqual([6, expect.stringContaining('Already allowed')]);
  });

  test('of two equal requests the answer reaches only the one that was shown', async () => {
    const opened = await world({ version, approvals: 'terminal' });
    const { claude, daemon, drover } = opened;
    const seat = await claude({ prompt: 'TOGETHER RUN touch made ;; RUN touch made' });
    await seat.asks('Do you want to proceed?');
    await daemon();
    const first = await requestIn(opened);
    await seat.press('1');
    await seat.sees(/Bash\(touch made\)\s+⎿\s+Done[^]*Waiting/);
    const late = await drover('answer', first.session, 'allow', '--id', String(first.id));
    expect(late.code).toBe(6);
    expect(await seat.screen()).toContain('Do you want to proceed?');
    const second = await requestIn(opened, first.id);
    const denied = await drover('answer', second.session, 'deny', '--id', String(second.id));
    expect([denied.code, denied.stdout]).toEqual([0, expect.stringMatching(/^denied Bash: /)]);
    await seat.file(({ status }) => status === 'idle');
  });
});
