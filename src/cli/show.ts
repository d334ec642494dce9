/** `drover show`: everything a person needs to decide, the question in full. */
import { call as ask } from '../client/call.ts';
import type { SessionInFull } from '../contract/answer.ts';
import type { Session } from '../contract/session.ts';
import { ago, clockTime } from './say.ts';
import { type Call, flag, oneWord } from './verb.ts';

export const run = async (call: Call): Promise<number> => {
  const session = await ask<SessionInFull>(
    call.paths,
    'GET',
    `/sessions/${encodeURIComponent(oneWord(call, 'session'))}`,
  );
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else for (const line of lines(session)) call.out(line);
  return 0;
};

const lines = (session: SessionInFull): string[] => {
  const { evidence, context, pane, stalled, pending } = session;
  return [
    `session   ${session.id}${session.next ? `, followed by ${session.next}` : ''}`,
    `state     ${session.state}${session.reason ? `/${session.reason}` : ''} for ${ago(session.since)}, told by ${evidence.source} ${evidence.name} (event ${evidence.seq}, ${clockTime(evidence.at)})`,
    ...(session.hooks === 'silent'
      ? ['hooks     SILENT: it is alive, but its hooks are not reaching us; `drover doctor` finds out why']
      : []),
    ...(stalled
      ? [`stalled   no progress for ${ago(stalled.since)}${stalled.tool ? ` inside ${stalled.tool}` : ''}`]
      : []),
    `project   ${session.dir ?? '-'}${session.cwd && session.cwd !== session.dir ? ` (now in ${session.cwd})` : ''}`,
    `pane      ${pane ? `${pane.id} in ${pane.session ?? '?'}:${pane.window ?? '?'} on ${pane.socket}` : session.host ? `on host ${session.host}` : 'none'}`,
    `claude    ${session.version ?? 'unknown version'}, pid ${session.pid ?? '-'}, model ${session.model ?? '-'}, mode ${session.permissionMode ?? '-'}${session.headless ? ', headless' : ''}`,
    `context   ${context ? `${context.tokens} tokens${context.percent === null ? '' : `, ${context.percent} % of ${context.window}`}` : 'unknown'}`,
    `file      ${session.transcript ?? '-'}`,
    ...(session.approvals === 'held' ? [`approvals ${held(session.id, pending)}`] : []),
    ...asks(session),
  ];
};

const held = (id: string, pending: SessionInFull['pending']): string =>
  pending
    ? `held until ${clockTime(pending.until)}: \`drover answer ${id.slice(0, 8)} ${pending.kind === 'question' ? '<option>…' : 'allow|deny'}\`, or in its terminal`
    : 'held: what it asks can be answered from here too';

const asks = ({ detail, state }: Session): string[] => {
  if (!detail) return [];
  const questions = detail.questions.flatMap(({ question, multiSelect, options }) => [
    '',
    `  ${question}${multiSelect ? ' (several may be chosen)' : ''}`,
    ...options.map(
      ({ label, description }, n) => `    ${n + 1}. ${label}${description ? `: ${description}` : ''}`,
    ),
  ]);
  const who = detail.agent ? ` (subagent ${detail.agent})` : '';
  if (questions.length) return ['', `It asks${who}:`, ...questions];
  return [
    '',
    state === 'waiting' && detail.tool ? `It asks to use ${detail.tool}${who}:` : 'It said:',
    '',
    ...clean(detail.text ?? detail.line)
      .split('\n')
      .map(text => `  ${text}`),
  ];
};

/** Text of others on our terminal: no control characters but line breaks and tabs. */
const clean = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
