/** The keys of executed commands, durable, with what was answered. */
import type { CommandKeys } from './serve-commands.ts';
import { limits } from '../../limits.ts';
import { CommandKeyStore } from '../../store/command-keys.ts';
import { AnswerContent } from './command.ts';

export const openCommandKeys = async (
  file: string,
  now: () => number,
  onError: (message: string, error: unknown) => void,
): Promise<CommandKeys & { close: () => void }> => {
  const store = await CommandKeyStore.open(file, onError, { now });
  let cleaned = 0;
  return {
    take: (from, key, expires) => {
      // An expired command is refused by its time. Its key is kept longer, because the clock of this machine may be set back.
      const { commandExpiry, clockTolerance, commandKeys } = limits.fleet;
      const over = now() - 2 * clockTolerance;
      if (Math.abs(now() - cleaned) > commandExpiry) {
        cleaned = now();
        store.removeAnswersBefore(over);
        store.removeBefore(cleaned - commandKeys);
      }
      // A caller may send the same `Idempotency-Key` again, hours later: then the route returns what it did the first time.
      const taken = store.take(from, key, expires, over);
      return (
        taken && { answer: taken.answer === null ? null : AnswerContent.parse(JSON.parse(taken.answer)) }
      );
    },
    answered: (from, key, answer) => {
      const text = JSON.stringify(answer);
      // Only reads have large answers, and those may be executed again.
      if (text.length <= limits.fleet.answerPart) store.answered(from, key, text);
    },
    close: () => store.close(),
  };
};
