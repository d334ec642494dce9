/** `drover doctor --fix`: shows what it would repair, asks, and repairs it. */
import { DroverError } from '../../contract/error.ts';
import { canAsk, confirm } from '../output/question.ts';
import { type Call, flag } from '../verb.ts';
import { findRepairs } from './find-repairs.ts';
import type { Repair } from './repair.ts';

export interface Repaired extends Pick<Repair, 'name' | 'says' | 'changes'> {
  /** Why it failed; null when it is done. */
  failed: string | null;
}

/** Returns what was repaired, or what would be, for a program that has not allowed it. Throws if nobody can be asked. */
export const runRepairs = async (call: Call): Promise<Repaired[]> => {
  const isJson = flag(call, 'json');
  const say = isJson ? () => {} : call.out;
  const repairs = await findRepairs(call);
  if (repairs.length === 0) say('Nothing to repair.');
  for (const [at, { name, says, changes }] of repairs.entries()) {
    say(`${at + 1}. ${name}: ${says}`);
    for (const line of changes.flatMap(change => change.trimEnd().split('\n'))) say(`     ${line}`);
  }
  if (repairs.length === 0) return [];
  // A program is shown them, and asks its user itself.
  if (isJson && !flag(call, 'yes'))
    return repairs.map(({ name, says, changes }) => ({
      name,
      says,
      changes,
      failed: 'Not repaired yet: add --yes.',
    }));
  if (!(await isAllowed(call, repairs.length))) return [];
  const done: Repaired[] = [];
  for (const { run, ...repair } of repairs) {
    const failed = await Promise.resolve()
      .then(run)
      .then(
        () => null,
        (error: Error) => error.message,
      );
    done.push({ ...repair, failed });
    say(failed === null ? `Repaired: ${repair.name}` : `Not repaired: ${repair.name}: ${failed}`);
  }
  return done;
};

const isAllowed = async (call: Call, count: number): Promise<boolean> => {
  if (flag(call, 'yes')) return true;
  if (!canAsk())
    throw new DroverError(
      'refused',
      'Nothing was repaired: not interactive.',
      'Add --yes to repair without a question.',
    );
  return confirm(count === 1 ? 'Repair it?' : `Repair these ${count}?`);
};
