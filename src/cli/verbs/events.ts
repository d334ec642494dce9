/** `drover events`: prints the event log and follows it. */
import { call as ask } from '../../client/call.ts';
import { pathOf } from '../../client/route-call.ts';
import { follow, isDown } from '../../client/stream.ts';
import type { EventView } from '../../contract/event.ts';
import { clockTime, line } from '../output/format.ts';
import { sessionArg } from '../pick/session-arg.ts';
import { type Call, flag, text } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

export const run = async (call: Call): Promise<number> => {
  const session = call.args[0] === undefined ? undefined : await sessionArg(call);
  const print = (event: EventView) => call.out(flag(call, 'json') ? JSON.stringify(event) : eventLine(event));
  const after = text(call, 'after');
  const first = after === undefined ? { last: text(call, 'last') ?? 50 } : { after };
  let cursor = Number(after ?? 0);
  const page = async (from: { last: string | number } | { after: string | number }): Promise<boolean> => {
    const { events, after: start, next } = await ask(call.paths, 'readLog', { query: { ...from, session } });
    for (const event of events) print(event);
    cursor = next ?? start;
    return next !== null;
  };
  const rest = async (): Promise<void> => {
    while (await page({ after: cursor }));
  };
  if (await page(first)) await rest();
  if (!flag(call, 'follow')) return 0;
  for await (const frame of follow(
    call.paths,
    session ? pathOf('followSession', { id: session }) : pathOf('followAll'),
  )) {
    // A stopped daemon also breaks the stream. The first frame after the restart continues from the cursor.
    await rest().catch(error => {
      if (!isDown(error)) throw error;
    });
    if (frame.event === 'end') break;
  }
  return 0;
};

const eventLine = ({ seq, at, source, sessionId, name, payload }: EventView): string => {
  const time = clockTime(at).slice(11);
  const head = `${String(seq).padStart(6)}  ${time}  ${source.padEnd(6)}  ${shortId(sessionId ?? '-').padEnd(8)}  ${name.padEnd(18)}`;
  const room = (process.stdout.columns ?? 160) - head.length - 2;
  return `${head}  ${line(summaryOf((payload ?? {}) as Record<string, unknown>), room)}`.trimEnd();
};

/** Summarises an event in one line. */
const summaryOf = (payload: Record<string, unknown>): string => {
  const field = (name: string) => (typeof payload[name] === 'string' ? payload[name] : undefined);
  const tool = field('tool_name');
  if (tool) return `${tool} ${JSON.stringify(payload.tool_input ?? {})}`;
  return (
    field('prompt') ??
    field('last_assistant_message') ??
    field('message') ??
    field('error') ??
    field('why') ??
    field('source') ??
    field('reason') ??
    field('cwd') ??
    ''
  );
};
