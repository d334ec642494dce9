/** `drover tag`: adds and removes tags of a session, or lists them. */
import { call as ask } from '../../client/call.ts';
import { shortId } from '../../contract/short-id.ts';
import { sessionArg } from '../pick/session-arg.ts';
import { type Call, flag, list } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const add = call.args.slice(1);
  const remove = list(call, 'remove');
  const id = await sessionArg(call);
  const session =
    add.length + remove.length === 0
      ? await ask(call.paths, 'readSession', { id })
      : await ask(call.paths, 'setTags', { id, body: { add, remove } });
  if (flag(call, 'json')) call.out(JSON.stringify({ id, tags: session.tags }));
  else
    call.out(
      session.tags.length
        ? `Tags of ${shortId(id)}: ${session.tags.join(', ')}`
        : `${shortId(id)} has no tags`,
    );
  return 0;
};
