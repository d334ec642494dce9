/** `drover new`: starts a session in its own tmux session in the background. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { parentVariable, withoutMarkers } from '../../claude/markers.ts';
import { call as ask } from '../../client/call.ts';
import { ensureDaemon } from '../../client/start.ts';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { type Call, flag, text } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

export const run = async (call: Call): Promise<number> => {
  await ensureDaemon(call.paths, call.env);
  const id = text(call, 'id') ?? randomUUID();
  const body = {
    session_id: id,
    cwd: resolve(call.cwd, text(call, 'dir') ?? '.'),
    prompt: call.args.join(' ') || undefined,
    name: text(call, 'name'),
    model: text(call, 'model'),
    permission_mode: text(call, 'permission-mode'),
    approvals: flag(call, 'held') ? ('held' as const) : ('terminal' as const),
    trust: flag(call, 'trust'),
    args: call.rest,
    env: { ...ownSettings(call.env), ...parentOf(call.env) },
  };
  if (call.tty) call.err('Starting …');
  const session = await ask(call.paths, 'createSession', {
    query: { wait: 'ready' },
    body,
    timeout: limits.start.ready + limits.daemon.answerTimeout,
  });
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else
    call.out(
      `${session.id}  ${session.state}${session.reason ? `/${session.reason}` : ''}  go there with \`drover go ${shortId(id)}\``,
    );
  return 0;
};

/** Picks the variables that configure Claude Code, so that the session behaves as if started from this shell. */
const ownSettings = (env: Env): Record<string, string> =>
  Object.fromEntries(
    Object.entries(withoutMarkers(env)).flatMap(([name, value]) =>
      value !== undefined && settingName.test(name) ? [[name, value]] : [],
    ),
  );

const settingName = /^(ANTHROPIC_|CLAUDE_|DISABLE_|AWS_|GOOGLE_|CLOUD_ML_)|^PATH$|_PROXY$|_proxy$/;

/** Marks a session started inside another one as its child, for agents with `parent`. */
const parentOf = ({ CLAUDE_CODE_SESSION_ID: id }: Env): Record<string, string> =>
  id ? { [parentVariable]: id } : {};
