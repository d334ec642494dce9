/** `drover explain`: shows the events that led to a session's state. */
import { stateText } from '../../client/board/labels.ts';
import { clean } from '../../client/text.ts';
import { ruleText } from '../../session/outcome/outcome-text.ts';
import { call as ask } from '../../client/call.ts';
import { shortId } from '../../contract/short-id.ts';
import { ago, clockTime } from '../output/format.ts';
import { sessionArg } from '../pick/session-arg.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const id = await sessionArg(call);
  const { session, steps, file, requests, hookedAt } = await ask(call.paths, 'explainSession', { id });
  if (flag(call, 'json')) {
    call.out(JSON.stringify({ session, steps, file, requests, hookedAt }));
    return 0;
  }
  call.out(
    `${session.id}: ${stateText(session, Date.now())} (${session.state}${session.reason ? `/${session.reason}` : ''}), for ${ago(session.since)}`,
  );
  for (const { at, state, reason, evidence } of steps)
    call.out(
      `  ${clockTime(at)}  ${`${state}${reason ? `/${reason}` : ''}`.padEnd(20)}  ${evidence.source} ${evidence.name} (event ${evidence.seq})`,
    );
  const rule = session.outcome && ruleText(session.outcome);
  if (session.outcome && rule !== null) {
    const { kind, sentence } = session.outcome;
    call.out(`  ${kind.replace('_', ' ')}: ${rule}${sentence === null ? '' : `: ${clean(sentence)}`}`);
  }
  call.out('');
  call.out(
    `session file  ${file ? `${file.status}${file.waitingFor ? `, waiting for ${file.waitingFor}` : ''} since ${clockTime(file.at)}` : 'unknown'}`,
  );
  call.out(
    `hooks         ${hookedAt ? `last one ${ago(hookedAt)} ago` : 'none yet'}${session.hooks === 'silent' ? ', SILENT: it is running, but no hook fires; run `drover doctor` unless it was started before `drover setup`' : ''}`,
  );
  for (const text of requests) call.out(`open          ${text}`);
  call.out(`\`drover events ${shortId(session.id)} --after 0\` lists every event.`);
  return 0;
};
