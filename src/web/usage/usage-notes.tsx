/** What a report says besides its figures: usage that is in no transcript, missing prices, budgets and progress. */
import { budgetText, unrecordedText } from '../../client/usage-text.ts';
import type { Usage } from '../../contract/usage.ts';
import { tokenText } from './figures-text.ts';

export const UsageNotes = ({ usage }: { usage: Usage }) => (
  <ul className="usage-notes">
    {usage.total.messages > 0 && (
      <li>Not in the transcript (compaction, titles): {unrecordedText(usage.unrecorded, tokenText)}</li>
    )}
    {usage.total.unpriced.length > 0 && (
      <li>
        No price known for {usage.total.unpriced.join(', ')}: their tokens are counted, their cost is not. Add
        it under <code>prices</code> in the config.
      </li>
    )}
    {usage.budgets.map(budget => (
      <li key={budget.kind} className={budget.spent >= budget.limit ? 'warning' : undefined}>
        {budgetText(budget)}
      </li>
    ))}
    {usage.reading.leftBytes > 0 && (
      <li role="status">
        Still reading transcripts: {percentRead(usage.reading)} % of {usage.reading.files} files read
      </li>
    )}
    <li>
      Cost is API-equivalent, at the prices of {usage.pricesOf}: what the API would charge, also for a
      subscription.
    </li>
  </ul>
);

const percentRead = ({ bytes, leftBytes }: Usage['reading']): number =>
  Math.floor((1 - leftBytes / Math.max(1, bytes)) * 100);
