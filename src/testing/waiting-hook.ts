/** A hook that waits, without a process. */
import type { WaitingHook } from '../hook/waiting-hooks.ts';

export interface FakeHook extends WaitingHook {
  /** What it printed; undefined while it waits. */
  printed: () => string | null | undefined;
  /** The CLI ends it. */
  leave: () => void;
}

export const waitingHook = (): FakeHook => {
  let output: string | null | undefined;
  let isGone = false;
  const hook: FakeHook = {
    respond: printed => {
      if (output !== undefined || isGone) return Promise.resolve(false);
      output = printed;
      return Promise.resolve(true);
    },
    isThere: () => !isGone && output === undefined,
    onGone: () => {},
    printed: () => output,
    leave: () => {
      isGone = true;
      output ??= null;
      hook.onGone();
    },
  };
  return hook;
};
