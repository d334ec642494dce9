/** The audit. */
import type { AuditPage } from '../../contract/audit.ts';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import type { SessionIndex } from '../../live/session-index.ts';
import type { AuditTable } from '../../store/audit-table.ts';
import type { Handlers } from '../call.ts';
import { countOf } from '../count.ts';
import { checkedId } from '../router.ts';
import { findSession } from './sessions.ts';

export const auditHandlers = (
  table: AuditTable,
  sessionIndex: SessionIndex,
): Pick<Handlers, 'readAudit'> => ({
  readAudit: ({ query }): AuditPage => {
    const named = query.get('session');
    const sessionId = named === null ? undefined : auditedSession(table, sessionIndex, checkedId(named));
    const since = numberOf(query.get('since'), 0);
    const before = numberOf(query.get('before'), Number.MAX_SAFE_INTEGER);
    return {
      entries: table.read({
        sessionId,
        since,
        before,
        rows: countOf(query.get('last'), 100, limits.audit.page),
      }),
    };
  },
});

/** Finds a session by its actions too, as one that was forgotten has no other trace. */
const auditedSession = (table: AuditTable, sessionIndex: SessionIndex, prefix: string): string => {
  const [only, ...others] = table.named(prefix);
  if (only !== undefined && others.length === 0 && sessionIndex.named(prefix).length === 0) return only;
  return findSession(sessionIndex, prefix).id;
};

const numberOf = (given: string | null, otherwise: number): number => {
  const number = given === null ? otherwise : Number(given);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new DroverError('bad_cursor', `${JSON.stringify(given)} is not a number.`);
};
