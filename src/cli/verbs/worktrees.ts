/** `drover worktrees`: lists the worktrees of sessions, and removes merged ones. */
import { call as ask } from '../../client/call.ts';
import { clean } from '../../client/text.ts';
import type { Worktree } from '../../contract/changes.ts';
import { DroverError } from '../../contract/error.ts';
import { shortId } from '../../contract/short-id.ts';
import { columns } from '../output/columns.ts';
import { size } from '../output/format.ts';
import { canAsk, confirmAction, tilde } from '../output/question.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const { worktrees } = await ask(call.paths, 'listWorktrees');
  if (flag(call, 'remove-merged')) return removeMerged(call, worktrees);
  if (flag(call, 'json')) call.out(JSON.stringify({ worktrees }));
  else for (const text of linesOf(call, worktrees)) call.out(text);
  return 0;
};

const linesOf = ({ env }: Call, worktrees: Worktree[]): string[] => {
  if (worktrees.length === 0) return ['No session runs or ran in a git worktree'];
  return columns([
    ['worktree', 'branch', 'size', 'merged', 'dirty', 'sessions'],
    ...worktrees.map(one => [
      clean(tilde(one.path, env)),
      clean(one.branch ?? '-'),
      one.bytes === null ? '?' : size(one.bytes),
      yesNo(one.isMerged),
      yesNo(one.isDirty),
      one.sessions.map(({ id, isLive }) => `${shortId(id)}${isLive ? ' (live)' : ''}`).join(' '),
    ]),
  ]);
};

const yesNo = (value: boolean | null): string => (value === null ? '?' : value ? 'yes' : 'no');

const removeMerged = async (call: Call, worktrees: Worktree[]): Promise<number> => {
  const chosen = worktrees.filter(({ keptFor }) => keptFor === null);
  const isJson = flag(call, 'json');
  if (!isJson)
    for (const { path, keptFor } of worktrees)
      call.out(
        `${keptFor === null ? 'remove' : 'keep  '}  ${clean(path)}${keptFor === null ? '' : `  (${keptFor})`}`,
      );
  if (chosen.length > 0 && !flag(call, 'yes')) await askFirst(call, chosen.length);
  const removed: string[] = [];
  const failed: { path: string; why: string }[] = [];
  for (const { path } of chosen)
    await ask(call.paths, 'removeWorktree', { body: { path } }).then(
      () => removed.push(path),
      error => failed.push({ path, why: (error as Error).message }),
    );
  if (isJson) call.out(JSON.stringify({ removed, failed }));
  else {
    call.out(`Removed ${removed.length} of ${worktrees.length} worktrees. Their branches stay.`);
    for (const { path, why } of failed) call.err(`${clean(path)}: ${why}`);
  }
  return failed.length > 0 ? 6 : 0;
};

const askFirst = async (call: Call, chosen: number): Promise<void> => {
  if (!canAsk() || flag(call, 'json'))
    throw new DroverError('usage', 'Without a terminal, --remove-merged needs --yes.');
  const what = chosen === 1 ? 'this worktree' : `these ${chosen} worktrees`;
  if (!(await confirmAction(`Remove ${what}, with files that git ignores?`)))
    throw new DroverError('refused', 'Nothing was removed.');
};
