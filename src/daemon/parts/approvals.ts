/** Requests that hooks wait with, and their answers. */
import type { DrivePolicy } from '../../hub/drive-policy.ts';
import type { RequestAnswers } from '../../hub/request/answer-request.ts';
import type { HoldAll } from '../../hub/request/hold-all.ts';
import type { Holds } from '../../hub/request/holds.ts';
import { answerHandlers } from '../../server/handlers/answer.ts';
import type { Core } from '../core.ts';

export interface ApprovalDeps {
  holds: Holds;
  holdAll: HoldAll;
  answers: RequestAnswers;
  /** For hooks that ask no permission: a Stop or PreCompact waits for an agent. */
  decisions: Pick<Holds, 'wait'>;
  drive: DrivePolicy;
}

export const openApprovals = (
  { loop }: Core,
  { holds, holdAll, answers, decisions, drive }: ApprovalDeps,
) => ({
  name: 'approvals',
  handlers: answerHandlers(loop.sessionIndex, holds, holdAll, answers, decisions, drive),
  // Before the daemon listens: a hook that connects later must not be released together with those of an earlier daemon.
  prepare: () => holds.start(),
});
