/** One message of the usage store, with default values except those that a test gives. */
import type { UsageMessage } from '../store/usage/usage-sums.ts';

export const aUsageMessage = (at: number, change: Partial<UsageMessage>): UsageMessage => ({
  id: 'msg_1',
  at,
  sessionId: 'a',
  dir: '/srv/shop',
  model: 'claude-opus-5-5',
  tier: '',
  input: 3,
  output: 20,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  cacheRead: 0,
  webSearches: 0,
  isCopy: false,
  created: at - 5_000,
  ...change,
});
