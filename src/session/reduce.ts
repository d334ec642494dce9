/** What one event adds to the memory of its session. Nothing is decided here. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import { hearScreen } from './asks.ts';
import { clockStepName, hearClockStep } from './clock-step.ts';
import { hearCommands, isCommandEvent } from './commands.ts';
import { drivenName, hearDriven } from './driven.ts';
import { reduceFile } from './reduce-file.ts';
import { reduceHook } from './reduce-hook.ts';
import { reduceTranscript, reduceUsage } from './reduce-transcript.ts';
import { reduceDeferral } from './deferral.ts';
import { hearLaunch, isLaunchEvent } from './launch.ts';
import type { Folded } from './memory.ts';
import { hearHold, isHoldEvent } from './pending.ts';

/** Tells whether hooks of others are registered that may answer what a session asks. */
export const approversName = 'Approvers';

/** `session` is the fold's own fresh copy: what is heard is written into it. */
export const reduce = (session: Folded, event: Event, hook: Hook): void => {
  const { memory } = session;
  switch (event.source) {
    case 'hook':
      return reduceHook(memory, event, hook);
    case 'file':
      return reduceFile(memory, session.state, event, hook);
    case 'transcript':
      if (event.name === 'Usage') return reduceUsage(session, hook);
      return reduceTranscript(memory, event, hook);
    case 'sweep':
      if (event.name === 'Dialog') hearScreen(memory, event, hook);
      return;
    case 'drover':
      if (event.name === 'Settled') memory.settled = Math.max(memory.settled, event.at);
      else if (event.name === clockStepName) hearClockStep(session, hook);
      else if (isLaunchEvent(event.name)) hearLaunch(session, event, hook);
      else if (event.name === approversName)
        memory.approvers = typeof hook.found === 'boolean' ? hook.found : null;
      else if (event.name === drivenName) hearDriven(session, hook);
      else if (isHoldEvent(event.name)) hearHold(session, event, hook);
      else if (isCommandEvent(event.name)) hearCommands(memory, event.name, hook);
      else reduceDeferral(session, event, hook);
      return;
    default:
      return;
  }
};
