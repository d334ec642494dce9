/** `drover show`: shows a session and its open requests in full. */
import { branchLabel, changesLabel, memoryLabel, stateText } from '../../client/board/labels.ts';
import { quotaWindows } from '../../client/board/quota-text.ts';
import { call as ask } from '../../client/call.ts';
import { deniedLines } from '../../client/denied-text.ts';
import { modeText } from '../../client/mode-text.ts';
import { sessionLines, otherLines, requestLines } from '../../client/request-text.ts';
import { clean } from '../../client/text.ts';
import type { RelatedSession, SessionPage } from '../../contract/api.ts';
import type { Session } from '../../contract/session.ts';
import { isRemote, whereOf } from '../../contract/origin.ts';
import { earlyText } from '../../session/outcome/outcome-text.ts';
import { shortTime } from '../../session/state-text.ts';
import { cancelledLines } from '../output/cancelled-message.ts';
import { ago, clockTime } from '../output/format.ts';
import { placeText, terminalPlaceOf } from '../../terminal-place.ts';
import { sessionArg } from '../pick/session-arg.ts';
import { type Call, flag } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

export const run = async (call: Call): Promise<number> => {
  const session = await ask(call.paths, 'readSession', { id: await sessionArg(call) });
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else for (const line of lines(session, await cancelledOf(call, session))) call.out(line);
  return 0;
};

/** Why a message for the reset of its limit is not sent. */
const cancelledOf = async (call: Call, { id, limit, continuation }: SessionPage): Promise<string[]> => {
  if (!limit || continuation) return [];
  return cancelledLines((await ask(call.paths, 'readLog', { query: { session: id, last: 50 } })).events);
};

const lines = (session: SessionPage, cancelled: string[]): string[] => {
  const { evidence, context, pane, stalled, pending } = session;
  const [first] = session.requests;
  const asks = first ? [...requestLines(first), ...otherLines(session.requests)] : messageLines(session);
  return [
    `session   ${session.id}`,
    `title     ${session.title ?? '-'}${titleSource[session.titleFrom]}`,
    ...(session.from ? [`from      ${session.from.id}, ${cameBy[session.from.by]}`] : []),
    ...session.into.map(({ id, by }) => `into      ${id}, ${wentBy[by]}`),
    `state     ${stateText(session, Date.now())} (${session.state}${session.reason ? `/${session.reason}` : ''}) for ${ago(session.since)}, from ${evidence.source} ${evidence.name} (event ${evidence.seq}, ${clockTime(evidence.at)})`,
    ...(session.hooks === 'silent'
      ? [
          'hooks     SILENT: it is running, but no hook has fired. If it was started before `drover setup`, its next event fires one; otherwise run `drover doctor`',
        ]
      : []),
    ...(stalled
      ? [`stalled   no progress for ${ago(stalled.since)}${stalled.tool ? ` inside ${stalled.tool}` : ''}`]
      : []),
    ...deniedLines(session),
    `project   ${session.dir ?? '-'}${session.cwd && session.cwd !== session.dir ? ` (now in ${session.cwd})` : ''}`,
    ...(session.branch || session.worktree ? [`branch    ${branchLabel(session)}`] : []),
    ...(session.tags.length ? [`tags      ${session.tags.join(' ')}`] : []),
    `pane      ${pane ? `${pane.id} in ${pane.session ?? '?'}:${pane.window ?? '?'} on ${pane.socket}` : isRemote(session) ? `on ${whereOf(session)}, not on this machine` : placeLine(session)}`,
    ...(session.origin ? [`origin    ${session.origin}: reported over HTTP, not seen on this machine`] : []),
    `claude    ${session.version ?? 'unknown version'}, pid ${session.pid ?? '-'}, model ${session.model ?? '-'}, mode ${modeText(session.permissionMode) || '-'}${session.effort ? `, effort ${session.effort}` : ''}${session.headless ? ', headless' : ''}`,
    `context   ${context ? `${context.tokens} tokens${context.percent === null ? '' : `, ${context.percent} % of ${context.window}${context.windowSource === 'assumed' ? ' (assumed)' : ''}`}` : 'unknown'}`,
    ...session.tasks.map(({ type, what }) => `running   ${type}${what ? `: ${clean(what)}` : ''}`),
    ...limitLines(session),
    ...cancelled,
    ...session.crons.map(
      ({ schedule, recurring, prompt }) =>
        `scheduled ${schedule}${recurring ? '' : ' (once)'}: ${clean(prompt)}`,
    ),
    ...(session.memoryBytes === null ? [] : [`memory    ${memoryLabel(session)}`]),
    ...(session.changes
      ? [`changes   ${changesLabel(session)}; \`drover changes ${shortId(session.id)}\` lists them`]
      : []),
    ...session.collisions.map(
      ({ path, sessionId }) => `collision ${clean(path)} is changed by ${shortId(sessionId)} too`,
    ),
    `file      ${session.transcript ?? '-'}`,
    ...(session.driven
      ? [`driven    programs may type into it; \`drover drive ${shortId(session.id)} --off\` stops that`]
      : []),
    ...(session.approvals === 'held' ? [`approvals ${heldLine(session.id, pending)}`] : []),
    ...(!pending && first
      ? [`request   ${first.id}: \`drover answer ${shortId(session.id)} --id ${first.id}\` lists the choices`]
      : []),
    ...outcomeLines(session),
    ...(asks.length ? ['', ...asks] : []),
  ];
};

/** Describes where a session outside tmux runs on this machine. */
const placeLine = ({ pid, state }: Session): string => {
  const place = pid === null || state === 'ended' ? null : terminalPlaceOf(pid);
  return place ? `none; it runs in ${placeText(place)}` : 'none';
};

/** What its last turn asks, or why it stopped early. */
const outcomeLines = ({ outcome }: SessionPage): string[] => {
  if (outcome?.kind === 'asks') return [`asks      ${clean(outcome.sentence ?? '')}`];
  const early = outcome && earlyText(outcome);
  return early === null ? [] : [`stopped   ${clean(early)}`];
};

/** The usage limit, the message for its reset, and the quotas of the account. */
const limitLines = ({ limit, continuation, quota }: SessionPage): string[] => {
  const windows = quota ? quotaWindows({ account: '', ...quota }) : [];
  const own = limit?.continues ? ['limit     Claude Code continues by itself after the reset'] : [];
  return [
    ...(windows.length
      ? [
          `quota     ${windows.map(({ label, window: { percent, resetsAt } }) => `${label} ${percent} %${resetsAt === null ? '' : `, reset at ${shortTime(resetsAt, Date.now())}`}`).join('; ')}`,
        ]
      : []),
    ...own,
    ...(continuation
      ? [`scheduled ${clockTime(continuation.sendAt)} (once): ${clean(continuation.text)}`]
      : []),
  ];
};

/** The last message in full; where the log no longer has all of it, it says so. */
const messageLines = (session: SessionPage): string[] => {
  const { detail } = session;
  const own = { ...session, denied: null };
  if (!detail?.cut) return sessionLines(own);
  const rest = `  … ${detail.cut} more characters are in its transcript only`;
  return [...sessionLines({ ...own, detail: { ...detail, cut: 0 } }), rest];
};

const heldLine = (id: string, pending: SessionPage['pending']): string =>
  pending
    ? `held until ${clockTime(pending.until)}: \`drover answer ${shortId(id)} ${pending.kind === 'question' ? '<option>…' : 'allow|deny'} --id ${pending.id}\`, or in its terminal`
    : 'held: the answer to its next request goes through its hook';

const titleSource: Record<Session['titleFrom'], string> = {
  person: '',
  claude: ' (generated by Claude Code)',
  project: ' (its project)',
};

const cameBy: Record<RelatedSession['by'], string> = {
  clear: 'ended by /clear',
  resume: 'its process then resumed this session',
  fork: 'this session is a fork of it',
};

const wentBy: Record<RelatedSession['by'], string> = {
  clear: 'its successor after /clear',
  resume: 'which its process then resumed',
  fork: 'a fork of this session',
};
