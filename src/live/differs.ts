/** Whether a reader sees a difference between two forms of a session. */
import type { Session } from '../contract/session.ts';

const plain = [
  'state',
  'reason',
  'name',
  'since',
  'cwd',
  'model',
  'permissionMode',
  'pid',
  'next',
  'hooks',
  'managed',
  'driven',
  'approvals',
  'hold',
] as const;

export const differs = (before: Session | undefined, after: Session): boolean =>
  !before ||
  plain.some(key => before[key] !== after[key]) ||
  before.detail?.line !== after.detail?.line ||
  before.detail?.request !== after.detail?.request ||
  before.requests !== after.requests ||
  before.stalled?.since !== after.stalled?.since ||
  before.context?.tokens !== after.context?.tokens ||
  before.pane?.id !== after.pane?.id ||
  before.pane?.socket !== after.pane?.socket ||
  before.pane?.session !== after.pane?.session ||
  before.pane?.window !== after.pane?.window;
