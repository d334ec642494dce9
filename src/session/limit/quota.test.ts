import { expect, test } from 'vitest';
import { aSession } from '../../testing/session.ts';
import { file, hook, runScript } from '../../testing/fold-script.ts';
import { exactLimit, factsOf, hasNewFacts, quotasOf } from './quota.ts';

const statusLine = {
  effort: { level: 'high' },
  rate_limits: {
    five_hour: { used_percentage: 62.4, resets_at: 1_000 },
    seven_day: { used_percentage: 12, resets_at: 9_000 },
  },
};
const transcript = (account: string) => `${account}/projects/-home-app/x.jsonl`;
const quota = (percent: number, at: number) => ({
  fiveHour: { percent, resetsAt: 1_000_000 },
  sevenDay: { percent: 12, resetsAt: 9_000_000 },
  at,
});

test('effort and quotas are taken from the status line, other values are not', () => {
  expect(factsOf(statusLine)).toEqual({
    effort: 'high',
    fiveHour: { percent: 62, resetsAt: 1_000_000 },
    sevenDay: { percent: 12, resetsAt: 9_000_000 },
    transcript: null,
  });
  expect(factsOf({ rate_limits: { five_hour: { used_percentage: 'all', resets_at: 1e300 } } })).toBe(null);
  expect(factsOf({ cost: {} })).toBe(null);
});

test('a session keeps them, and the same values again change nothing', () => {
  const facts = factsOf(statusLine);
  if (!facts) throw new Error('no facts');
  const event = { at: 2_000, source: 'drover' as const, name: 'StatusLineRead', fields: { ...facts } };
  const { session } = runScript([hook(0, 'SessionStart', {}), event], 3_000);
  expect(session).toMatchObject({ effort: 'high', quota: { fiveHour: { percent: 62 }, at: 2_000 } });
  expect(hasNewFacts(session, facts)).toBe(false);
  expect(hasNewFacts(session, { ...facts, fiveHour: { percent: 63, resetsAt: 1_000_000 } })).toBe(true);
});

test('each account has the quotas of its newest status line, without those that were reset since', () => {
  const sessions = [
    aSession({ transcript: transcript('/home/.claude'), quota: quota(40, 1) }),
    aSession({ transcript: transcript('/home/.claude'), quota: quota(62, 2) }),
    aSession({ transcript: transcript('/home/.claude-work'), quota: quota(5, 1) }),
    aSession({ transcript: transcript('/home/.claude-work') }),
  ];
  const percents = (now: number) =>
    quotasOf(sessions, now).map(({ account, fiveHour, sevenDay }) => [
      account,
      fiveHour?.percent,
      sevenDay?.percent,
    ]);
  expect(percents(10)).toEqual([
    ['/home/.claude', 62, 12],
    ['/home/.claude-work', 5, 12],
  ]);
  expect(percents(1_000_000)).toEqual([
    ['/home/.claude', undefined, 12],
    ['/home/.claude-work', undefined, 12],
  ]);
});

test('the quota of a limit that was reached is used up', () => {
  const limit = { resetsAt: 1_000_000, window: 'five_hour', continues: false, isOver: false };
  const limited = aSession({ transcript: transcript('/home/.claude'), quota: quota(97, 1), limit });
  const [account] = quotasOf([limited], 10);
  expect([account?.fiveHour?.percent, account?.sevenDay?.percent]).toEqual([100, 12]);
  const over = { ...limited, limit: { ...limit, isOver: true } };
  expect(quotasOf([over], 10)[0]?.fiveHour?.percent).toBe(97);
});

test('the exact reset of a limit is that of the window in the same minute, of the same account', () => {
  const at = hook(1_000, 'StopFailure', {
    error: 'rate_limit',
    last_assistant_message: 'limit · resets 12:16am (UTC)',
  });
  const start = hook(0, 'SessionStart', { transcript_path: transcript('/home/.claude') });
  const { session } = runScript([start, hook(500, 'UserPromptSubmit'), at, file(1_010, 'idle')], 2_000);
  const other = (account: string) => aSession({ transcript: transcript(account), quota: quota(99, 1) });
  expect(exactLimit(session, [session, other('/home/.claude')])).toEqual({
    resetsAt: 1_000_000,
    window: 'five_hour',
  });
  expect(exactLimit(session, [session, other('/home/.claude-work')])).toBe(null);
});
