/** Applies an event to the memory of its session. decide.ts then decides the state. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import { deadlineName, reduceDeadline, reduceDialog } from './request/requests.ts';
import { clockStepName, reduceClockStep } from './clock-step.ts';
import { reduceCommands, isCommandEvent } from './command/command-events.ts';
import { noteDeniedAtDeadline, reduceDenied } from './denied.ts';
import { drivenName, reduceDriven } from './driven.ts';
import { branchName, reduceBranch } from './branch.ts';
import { isNameEvent, reduceClaudeName, reduceName, reduceTitles, titlesName } from './names.ts';
import { reduceFile } from './reduce-file.ts';
import { reduceHook } from './reduce-hook.ts';
import { reduceTranscript, reduceUsage } from './reduce-transcript.ts';
import { reduceDeferral } from './queue/deferral.ts';
import { reduceLaunch, isLaunchEvent } from './launch.ts';
import { isContinuationEvent, limitSeenName, reduceContinuation, reduceLimitSeen } from './limit/limit.ts';
import type { Folded } from './memory.ts';
import { isParkEvent, reducePark } from './park.ts';
import { reduceHold, isHoldEvent } from './request/pending.ts';
import { reduceStatusLine, statusLineReadName } from './limit/quota.ts';

/** Reports whether other hooks are registered that may answer permission requests. */
export const approversName = 'Approvers';

/** Changes `session`, which is the fold's own copy. */
export const reduce = (session: Folded, event: Event, hook: Hook): void => {
  const { past } = session.memory;
  reduceSource(session, event, hook);
  if (session.memory.past !== past) noteDeniedAtDeadline(session, past);
};

const reduceSource = (session: Folded, event: Event, hook: Hook): void => {
  const { memory } = session;
  switch (event.source) {
    case 'hook':
      reduceDenied(session, event, hook);
      reduceHook(memory, event, hook);
      // A pane id has few digits; anything else is not one.
      if (/^%\d{1,9}$/.test(event.context.hintPane ?? '')) memory.hintPane = event.context.hintPane ?? null;
      return;
    case 'file':
      reduceClaudeName(session, hook);
      return reduceFile(memory, session.state, event, hook);
    case 'transcript':
      if (event.name === 'Usage') return reduceUsage(session, hook);
      if (event.name === titlesName) return reduceTitles(session, hook);
      return reduceTranscript(memory, event, hook);
    case 'sweep':
      if (event.name === 'Dialog') reduceDialog(memory, event, hook);
      else if (event.name === deadlineName) reduceDeadline(memory, hook);
      return;
    case 'drover':
      if (event.name === 'Settled') memory.settled = Math.max(memory.settled, event.at);
      else if (event.name === clockStepName) reduceClockStep(session, hook);
      else if (isLaunchEvent(event.name)) reduceLaunch(session, event, hook);
      else if (event.name === approversName)
        memory.approvers = typeof hook.found === 'boolean' ? hook.found : null;
      else if (event.name === drivenName) reduceDriven(session, hook);
      else if (event.name === branchName) reduceBranch(session, hook);
      else if (isNameEvent(event.name)) reduceName(session, event.name, hook);
      else if (isParkEvent(event.name)) reducePark(memory, event);
      else if (event.name === statusLineReadName) reduceStatusLine(session, event, hook);
      else if (event.name === limitSeenName) reduceLimitSeen(memory, hook);
      else if (isContinuationEvent(event.name)) reduceContinuation(session, event, hook);
      else if (isHoldEvent(event.name)) reduceHold(session, event, hook);
      else if (isCommandEvent(event.name)) reduceCommands(memory, event.name, hook);
      else reduceDeferral(session, event, hook);
      return;
    default:
      return;
  }
};
