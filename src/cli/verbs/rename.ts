/** `drover rename`: gives a session a title, or removes it. */
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import { shortId } from '../../contract/short-id.ts';
import { sessionArg } from '../pick/session-arg.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const words = call.args.slice(1).join(' ').trim();
  if ((words === '') !== flag(call, 'clear'))
    throw new DroverError('usage', 'Give a title, or `--clear` to remove it.', 'See `drover rename --help`.');
  const id = await sessionArg(call);
  const session = await ask(call.paths, 'setTitle', { id, body: { title: words || null } });
  if (flag(call, 'json')) call.out(JSON.stringify(session));
  else call.out(`${shortId(id)} is now ${JSON.stringify(session.title ?? '')}${from[session.titleFrom]}`);
  return 0;
};

/** Where the title comes from, unless it is the given one. */
const from = {
  person: '',
  claude: ', the title that Claude Code generated',
  project: ', its project',
} as const;
