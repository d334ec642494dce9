/** `drover notify`: lists notifications and why some were not sent, and sends a test. */
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import type { NoticeEntry } from '../../contract/notice.ts';
import { shortId } from '../../contract/short-id.ts';
import { columns } from '../output/columns.ts';
import { clockTime, count, line } from '../output/format.ts';
import { type Call, flag, text, unknownAction } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const [action = 'log'] = call.args;
  if (action === 'test') return test(call);
  if (action !== 'log') throw unknownAction(call, action);
  return log(call);
};

const log = async (call: Call): Promise<number> => {
  const page = await ask(call.paths, 'readNotices', { query: { last: countOf(text(call, 'last')) } });
  const { status, entries } = page;
  if (flag(call, 'json')) {
    call.out(JSON.stringify(page));
    return 0;
  }
  if (entries.length > 0)
    for (const row of columns([
      ['time', 'outcome', 'channel', 'session', 'reason', 'what'],
      ...entries.map(cellsOf),
    ]))
      call.out(row);
  else
    call.out(
      status.on ? 'No notifications yet' : 'Notifications are off. `drover setup --notify` turns them on.',
    );
  if (entries.length > 0)
    call.out(
      `Since the start: ${count(status.sent)} sent, ${count(status.failed)} failed, ${count(status.suppressed)} suppressed`,
    );
  return 0;
};

const test = async (call: Call): Promise<number> => {
  const { deliveries } = await ask(call.paths, 'testNotices');
  if (flag(call, 'json')) call.out(JSON.stringify({ deliveries }));
  else
    for (const { channel, failure } of deliveries)
      call.out(
        `${failure === null ? 'ok  ' : 'FAIL'}  ${channel}${failure === null ? '' : `: ${line(failure, 200)}`}`,
      );
  return deliveries.some(({ failure }) => failure !== null) ? 1 : 0;
};

const cellsOf = ({ at, outcome, channel, sessions, reason, title }: NoticeEntry): string[] => [
  clockTime(at),
  outcome,
  channel ?? '-',
  sessions.length > 1 ? `${sessions.length} sessions` : shortId(sessions[0] ?? '-'),
  line(reason ?? '-', 60),
  line(title, 100),
];

const countOf = (given = '50'): string => {
  if (/^\d{1,4}$/.test(given)) return given;
  throw new DroverError('usage', `--last ${given} is not a number.`);
};
