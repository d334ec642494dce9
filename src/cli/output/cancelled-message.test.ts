import { expect, test } from 'vitest';
import { cancelledLines } from './cancelled-message.ts';

const event = (name: string, payload: object = {}) => ({ name, at: 0, payload });
const cancelled = event('ContinuationCancelled', { why: 'Its time\u001b[2J passed.' });

test('the reason of the last cancelled message is shown, unless another was scheduled or sent since', () => {
  const scheduled = event('ContinuationScheduled', { text: 'go on' });
  expect(cancelledLines([scheduled, cancelled, event('Settled')])).toEqual([
    expect.stringMatching(/^cancelled message for the reset, .*: Its time.* passed\.$/),
  ]);
  expect(cancelledLines([cancelled])[0]).not.toContain('\u001b');
  for (const after of [scheduled, event('ContinuationSent')])
    expect(cancelledLines([cancelled, after])).toEqual([]);
  expect(cancelledLines([event('Settled')])).toEqual([]);
});
