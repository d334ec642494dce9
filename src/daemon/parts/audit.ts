/** Records who did what. */
import { Audit } from '../../live/audit.ts';
import { auditHandlers } from '../../server/handlers/audit.ts';
import type { Core } from '../core.ts';

export const openAudit = ({ loop, store, clock, log }: Core) => {
  const audit = new Audit(loop, store, clock, log.error);
  return {
    name: 'audit',
    audit,
    handlers: auditHandlers(store.audit, loop.sessionIndex),
    close: () => audit.close(),
  };
};
