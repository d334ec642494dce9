/** What a session asks, or said last. */
import type { SessionPage } from '../../contract/api.ts';
import type { Session } from '../../contract/session.ts';
import { ErrorBoundary } from '../shared/error-boundary.tsx';
import { LastMessage } from './last-message.tsx';
import { Requests } from '../requests/requests.tsx';

interface Props {
  session: Session;
  page: SessionPage | null;
  now: number;
}

export const Asks = ({ session, page, now }: Props) => (
  <>
    <Requests session={session} page={page} now={now} />
    {session.requests.length === 0 && (
      <ErrorBoundary key={session.since}>
        <LastMessage session={session} />
      </ErrorBoundary>
    )}
  </>
);
