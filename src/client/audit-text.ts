/** Formats audit entries for the command line and the page. */
import type { AuditCaller, AuditEntry } from '../contract/audit.ts';
import { shortId } from '../contract/short-id.ts';

/** `token ci`, `page 1a2b3c4d`, `cli inside 6c57b6f4`. */
export const auditWho = ({ kind, name, session }: AuditCaller): string =>
  [kind, name, session === null ? null : `inside ${shortId(session)}`].filter(Boolean).join(' ');

/** The tool, what was done, and why it was refused. */
export const auditWhat = ({ request, text, message }: AuditEntry): string =>
  [[request?.tool, text].filter(Boolean).join(': '), message].filter(Boolean).join(' · ');
