/** A usage limit from the 429 of the API to the one message after its reset. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Session } from '../../src/contract/session.ts';
import { shortTime } from '../../src/session/state-text.ts';
import { edges } from '../rig/cli.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';

describe.each(edges)('Claude Code %s', version => {
  test('a limit is shown, is not in the queue, and is followed by one message, also across a restart of the daemon', async () => {
    const here = await world({ version, subscription: true });
    const { claude, daemon, drover, droverHome, model } = here;
    for (const what of [[], ['--statusline']]) expect((await drover('setup', ...what)).code).toBe(0);
    const config = { drive: 'all', continue: { message: 'SAY continued', staggerSeconds: 1 } };
    await writeFile(join(droverHome, 'config.json'), JSON.stringify(config));
    const first = await daemon();
    /** The only session, when it fits. */
    const is = (fits: (session: Session) => boolean, ms = 20_000) => {
      let last = '';
      return until(
        ms,
        () => `the session is ${last}`,
        async () => {
          const { stdout } = await drover('ls', '--json');
          const [session] = (JSON.parse(stdout) as { sessions: Session[] }).sessions;
          last = JSON.stringify({ ...session, detail: undefined });
          return session && fits(session) ? session : undefined;
        },
      );
    };
    // Not on a whole minute: such a time is taken for one without its seconds, and waited for a minute longer.
    const soon = () => {
      const seconds = Math.floor(Date.now() / 1_000) + 35;
      return seconds % 60 === 0 ? seconds + 1 : seconds;
    };
    model.quota = { percent: 61, resetsAt: soon() };
    const seat = await claude({ prompt: 'SAY hello' });
    await is(({ reason, quota }) => reason === 'stopped' && quota?.fiveHour?.percent === 61);
    model.quota = { percent: 62, resetsAt: soon() };
    const resetsAt = model.quota.resetsAt * 1_000;
    await seat.type('SAY more');
    await is(({ quota }) => quota?.fiveHour?.percent === 62);
    await seat.type('LIMIT');

    // The message of Claude Code has minutes, the status line has the second.
    const limited = await is(({ limit }) => limit?.resetsAt === resetsAt);
    expect(limited).toMatchObject({ state: 'waiting', reason: 'limit', limit: { window: 'five_hour' } });
    expect((await drover('ls')).stdout).toContain(`limit until ${shortTime(resetsAt, Date.now())}`);
    expect((await drover('next')).code).toBe(1);

    const announces = version !== '2.1.197';
    if (announces) {
      await is(({ limit }) => limit?.continues === true);
      const refused = await drover('continue', '--all', '--at-reset');
      expect([refused.code, refused.stdout]).toEqual([6, expect.stringContaining('by itself')]);
      await seat.press('Escape');
      await seat.sees(/Automatic continue cancelled/);
    }
    const scheduled = await drover('continue', '--all', '--at-reset');
    expect([scheduled.code, scheduled.stdout]).toEqual([0, expect.stringContaining('"SAY continued" at ')]);
    expect((await drover('continue', limited.id, '--cancel')).stdout).toContain('cancelled');
    expect((await drover('continue', limited.id, '--at-reset')).code).toBe(0);
    await first.stop();
    await daemon();
    expect((await drover('continue')).stdout).toContain('"SAY continued" at ');

    await model.asked(({ prompt }) => prompt === 'SAY continued', 60_000);
    const over = await is(({ reason, continuation }) => reason === 'stopped' && continuation === null);
    expect(over.limit).toBe(null);
    const { stdout } = await drover('events', limited.id, '--json', '--last', '200');
    const names = stdout
      .split('\n')
      .flatMap(line => /"name":"(Continuation\w+|MessageQueued)"/.exec(line)?.[1] ?? []);
    expect(names.filter(name => name === 'ContinuationSent' || name === 'MessageQueued')).toEqual([
      'MessageQueued',
      'ContinuationSent',
    ]);
    expect(model.requests.filter(({ prompt, turn }) => turn && prompt === 'SAY continued')).toHaveLength(1);
    expect(await seat.screen()).toContain('continued');
  }, 120_000);
});
