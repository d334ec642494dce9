/** What a report says beside its figures: usage that is in no transcript, missing prices, budgets and progress. */
import type { Usage } from '../../contract/usage.ts';
import { costText, tokenText } from './figures-text.ts';

export const UsageNotes = ({ usage }: { usage: Usage }) => (
  <ul className="usage-notes">
    {usage.total.messages > 0 && <li>Not in the transcript: {unrecordedText(usage)}</li>}
    {usage.total.unpriced.length > 0 && (
      <li>
        No price known for {usage.total.unpriced.join(', ')}: their tokens are counted, their cost is not. Add
        it under <code>prices</code> in the config.
      </li>
    )}
    {usage.budgets.map(({ kind, limit, spent }) => (
      <li key={kind} className={spent >= limit ? 'warning' : undefined}>
        Budget {kind === 'session' ? 'of a session (most expensive today)' : `of this ${kind}`}:{' '}
        {costText(spent)} of {costText(limit)}
        {spent >= limit && ', reached'}
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

/** What was billed beyond the transcripts; unknown for sessions without a bill. */
const unrecordedText = ({ unrecorded }: Pick<Usage, 'unrecorded'>): string => {
  const { sessions, unknownSessions, input, output, cost } = unrecorded;
  const tokens = input === null ? '' : `${tokenText(input)} input, ${tokenText(output ?? 0)} output, `;
  const known = sessions > 0 ? [`${tokens}${costText(cost)} in ${plural(sessions)}`] : [];
  const unknown = unknownSessions > 0 ? [`unknown for ${plural(unknownSessions)}`] : [];
  return [...known, ...unknown].join('; ') || 'nothing';
};

const plural = (count: number): string => `${count} session${count === 1 ? '' : 's'}`;

const percentRead = ({ bytes, leftBytes }: Usage['reading']): number =>
  Math.floor((1 - leftBytes / Math.max(1, bytes)) * 100);
