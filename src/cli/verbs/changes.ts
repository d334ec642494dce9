/** `drover changes`: lists the files that a session changed, and its diffs. */
import { call as ask } from '../../client/call.ts';
import { type DiffTone, diffTexts, diffTone, fileLines } from '../../client/changes-text.ts';
import { clean } from '../../client/text.ts';
import type { GitChanges } from '../../contract/changes.ts';
import { clockTime, count } from '../output/format.ts';
import { sessionArg } from '../pick/session-arg.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const id = await sessionArg(call);
  const [diff, git] = [flag(call, 'diff'), flag(call, 'git')];
  const changes = await ask(call.paths, 'readChanges', {
    id,
    query: { ...(diff && { diff: 1 }), ...(git && { git: 1 }) },
  });
  if (flag(call, 'json')) {
    call.out(JSON.stringify(changes));
    return 0;
  }
  const heads = changes.git ? gitLines(changes.git) : fileLines(changes, Date.now());
  for (const text of heads) call.out(text);
  if (!diff) return 0;
  const diffs = changes.git ? (changes.git.diff ?? '').trimEnd().split('\n') : diffTexts(changes, clockTime);
  for (const text of diffs) call.out(text, hasColours(call) ? colours[diffTone(text)] : 0);
  return 0;
};

const colours: Record<DiffTone, number> = { head: 1, place: 36, added: 32, removed: 31, plain: 0 };

/** Respects NO_COLOR. */
const hasColours = ({ tty, env }: Call): boolean => tty && !env.NO_COLOR && env.TERM !== 'dumb';

const gitLines = ({ root, branch, files, isCut }: GitChanges): string[] => [
  `${clean(root)}${branch === null ? '' : ` on ${clean(branch)}`}: ${files.length === 0 ? 'no changes' : `${count(files.length)} ${files.length === 1 ? 'file differs' : 'files differ'} from HEAD`}`,
  ...files.map(({ status, path }) => `${status} ${clean(path)}`),
  ...(isCut ? ['… not all is shown'] : []),
];
