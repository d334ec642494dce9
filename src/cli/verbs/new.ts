/** `drover new`: a session in a tmux session of its own, in the background. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { parentVariable, withoutMarkers } from '../../claude/markers.ts';
import { call as ask } from '../../client/call.ts';
import { ensureDaemon } from '../../client/start.ts';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { type Call, flag, text } from '../verb.ts';

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
  if (call.tty) call.err('starting …');
  const session = await ask(call.paths, 'createSession', {
    query: { wait: 'ready' },
    body,
    timeout: limits.start.ready + limits.daemon.answerTimeout,
  });
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else
    call.out(
      `${session.id}  ${session.state}${session.reason ? `/${session.reason}` : ''}  \`drover go ${id.slice(0, 8)}\` takes you there`,
    );
  return 0;
};

/** What this shell has set for Claude Code: a session that is started from here should be as if `claude` were. */
const ownSettings = (env: Env): Record<string, string> =>
  Object.fromEntries(
    Object.entries(withoutMarkers(env)).flatMap(([name, value]) =>
      value !== undefined && settingName.test(name) ? [[name, value]] : [],
    ),
  );

const settingName = /^(ANTHROPIC_|CLAUDE_|DISABLE_|AWS_|GOOGLE_|CLOUD_ML_)|^PATH$|_PROXY$|_proxy$/;

/** Started from inside a session, it is that session's child: an agent with `parent` hears of it. */
const parentOf = ({ CLAUDE_CODE_SESSION_ID: id }: Env): Record<string, string> =>
  id ? { [parentVariable]: id } : {};
