/** `drover show`: shows a session and its open requests in full. */
import { call as ask } from '../../client/call.ts';
import { sessionLines, otherLines, requestLines } from '../../client/request-text.ts';
import type { Kin, SessionPage } from '../../contract/api.ts';
import { isElsewhere, whereOf } from '../../contract/origin.ts';
import { ago, clockTime } from '../output/format.ts';
import { type Call, flag, firstArg } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

export const run = async (call: Call): Promise<number> => {
  const session = await ask(call.paths, 'readSession', { id: firstArg(call, 'session') });
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else for (const line of lines(session)) call.out(line);
  return 0;
};

const lines = (session: SessionPage): string[] => {
  const { evidence, context, pane, stalled, pending } = session;
  const [first] = session.requests;
  const asks = first ? [...requestLines(first), ...otherLines(session.requests)] : sessionLines(session);
  return [
    `session   ${session.id}`,
    ...(session.from ? [`from      ${session.from.id}, ${cameBy[session.from.by]}`] : []),
    ...session.into.map(({ id, by }) => `into      ${id}, ${wentBy[by]}`),
    `state     ${session.state}${session.reason ? `/${session.reason}` : ''} for ${ago(session.since)}, from ${evidence.source} ${evidence.name} (event ${evidence.seq}, ${clockTime(evidence.at)})`,
    ...(session.hooks === 'silent'
      ? ['hooks     SILENT: it is running, but its hooks do not arrive; run `drover doctor`']
      : []),
    ...(stalled
      ? [`stalled   no progress for ${ago(stalled.since)}${stalled.tool ? ` inside ${stalled.tool}` : ''}`]
      : []),
    `project   ${session.dir ?? '-'}${session.cwd && session.cwd !== session.dir ? ` (now in ${session.cwd})` : ''}`,
    `pane      ${pane ? `${pane.id} in ${pane.session ?? '?'}:${pane.window ?? '?'} on ${pane.socket}` : isElsewhere(session) ? `on ${whereOf(session)}, not on this machine` : 'none'}`,
    ...(session.origin ? [`origin    ${session.origin}: reported over HTTP, not seen on this machine`] : []),
    `claude    ${session.version ?? 'unknown version'}, pid ${session.pid ?? '-'}, model ${session.model ?? '-'}, mode ${session.permissionMode ?? '-'}${session.headless ? ', headless' : ''}`,
    `context   ${context ? `${context.tokens} tokens${context.percent === null ? '' : `, ${context.percent} % of ${context.window}`}` : 'unknown'}`,
    `file      ${session.transcript ?? '-'}`,
    ...(session.driven
      ? [`driven    programs may type into it; \`drover drive ${shortId(session.id)} --off\` stops that`]
      : []),
    ...(session.approvals === 'held' ? [`approvals ${held(session.id, pending)}`] : []),
    ...(asks.length ? ['', ...asks] : []),
  ];
};

const held = (id: string, pending: SessionPage['pending']): string =>
  pending
    ? `held until ${clockTime(pending.until)}: \`drover answer ${shortId(id)} ${pending.kind === 'question' ? '<option>…' : 'allow|deny'} --id ${pending.id}\`, or in its terminal; afterwards only there`
    : 'held: `drover answer` can answer its next request';

const cameBy: Record<Kin['by'], string> = {
  clear: 'ended by /clear',
  resume: 'left by its process for this one',
  fork: 'it is a fork of it',
};

const wentBy: Record<Kin['by'], string> = {
  clear: 'its successor after /clear',
  resume: 'resumed by its process instead',
  fork: 'a fork of it',
};
