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
  drive: DrivePolicy;
}

export const openApprovals = ({ loop }: Core, { holds, holdAll, answers, drive }: ApprovalDeps) => ({
  name: 'approvals',
  handlers: answerHandlers(loop.sessionIndex, holds, holdAll, answers, drive),
  // Before the spool is read: a hook that waits now must not be released together with those of an earlier daemon.
  prepare: () => holds.start(),
});
