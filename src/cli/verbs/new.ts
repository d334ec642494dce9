/** `drover new`: starts a session in its own tmux session in the background. */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { parentVariable, withoutMarkers } from '../../claude/markers.ts';
import { stateText } from '../../client/board/labels.ts';
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import { ensureDaemon } from '../../client/start.ts';
import { limits } from '../../limits.ts';
import { readPassedNames, sessionEnvironment } from '../../config/passed-variables.ts';
import type { Env } from '../../paths.ts';
import { type Call, flag, text } from '../verb.ts';
import { shortId } from '../../contract/short-id.ts';

export const run = async (call: Call): Promise<number> => {
  refusePath(call);
  await ensureDaemon(call.paths, call.env);
  const id = text(call, 'id') ?? randomUUID();
  const host = text(call, 'on');
  const body = {
    session_id: id,
    cwd: host === undefined ? resolve(call.cwd, text(call, 'dir') ?? '.') : remoteDir(call),
    prompt: call.args.join(' ') || undefined,
    name: text(call, 'name'),
    model: text(call, 'model'),
    permission_mode: text(call, 'permission-mode'),
    approvals: flag(call, 'held') ? ('held' as const) : ('terminal' as const),
    trust: flag(call, 'trust'),
    args: call.rest,
    // Paths and settings of this shell mean nothing on another host.
    env: host === undefined ? { ...ownSettings(call), ...parentOf(call.env) } : {},
  };
  if (call.tty) call.err('Starting …');
  const session = await ask(call.paths, 'createSession', {
    query: { wait: 'ready', host },
    body,
    timeout: limits.start.ready + limits.daemon.answerTimeout,
  });
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else
    call.out(`${session.id}  ${stateText(session, Date.now())}  go there with \`drover go ${shortId(id)}\``);
  return 0;
};

/** Refuses a path as the only word of a prompt: it was meant as the folder. */
const refusePath = ({ args }: Call): void => {
  const [word = ''] = args;
  if (args.length !== 1 || !/^(?:~|\.{0,2}\/)\S*$/.test(word)) return;
  throw new DroverError(
    'usage',
    `${JSON.stringify(word)} looks like a folder, but \`drover new\` takes a prompt.`,
    `For a session in that folder: \`drover new --dir ${word}\`. For a command of Claude Code: \`drover new -- ${word}\`.`,
  );
};

/** The directory on another host; without one, the host chooses as for any program. */
const remoteDir = (call: Call): string | undefined => {
  const dir = text(call, 'dir');
  if (dir === undefined || dir.startsWith('/')) return dir;
  throw new DroverError('usage', '--dir must be an absolute path with --on: it is a folder of that host.');
};

/** Picks what sessions need and what configures Claude Code, so that the session behaves as if started from this shell. */
const ownSettings = ({ env, paths }: Call): Record<string, string> => {
  const own = withoutMarkers(env);
  const settings = Object.entries(own).filter(([name]) => settingName.test(name));
  return {
    ...(Object.fromEntries(settings) as Record<string, string>),
    ...sessionEnvironment(own, readPassedNames(paths.config)),
  };
};

const settingName = /^CLAUDE_|^PATH$/;

/** Marks a session started inside another one as its child, for agents with `parent`. */
const parentOf = ({ CLAUDE_CODE_SESSION_ID: id }: Env): Record<string, string> =>
  id ? { [parentVariable]: id } : {};
