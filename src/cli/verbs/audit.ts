/** `drover audit`: shows who did what to which session. */
import { call as ask } from '../../client/call.ts';
import { auditWho, auditWhat } from '../../client/audit-text.ts';
import type { AuditEntry } from '../../contract/audit.ts';
import { DroverError } from '../../contract/error.ts';
import { columns } from '../output/columns.ts';
import { timeOf } from '../output/time-of.ts';
import { clockTime, line } from '../output/format.ts';
import { type Call, flag, text } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

export const run = async (call: Call): Promise<number> => {
  const [session] = call.args;
  const since = text(call, 'since');
  const query = {
    last: countOf(text(call, 'last')),
    session,
    since: since === undefined ? undefined : timeOf(since, 'since'),
  };
  const { entries } = await ask(call.paths, 'readAudit', { query });
  if (flag(call, 'json')) call.out(JSON.stringify({ entries }));
  else if (entries.length === 0) call.out('No actions');
  else {
    const head = ['time', 'action', 'session', 'result', 'by', 'what'];
    for (const row of columns([head, ...entries.map(cellsOf)])) call.out(row);
  }
  return 0;
};

const cellsOf = (entry: AuditEntry): string[] => [
  clockTime(entry.at),
  entry.action,
  shortId(entry.sessionId ?? '-'),
  entry.result,
  line(auditWho(entry.caller), 50),
  line(auditWhat(entry), 120),
];

const countOf = (given = '100'): string => {
  if (/^\d{1,4}$/.test(given)) return given;
  throw new DroverError('usage', `--last ${given} is not a number.`);
};
