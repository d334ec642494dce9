/** Records that a person lets programs type into a session, or no longer does. */
import type { Clock } from '../clock.ts';
import type { Loop } from '../live/loop.ts';
import { drivenName } from '../session/driven.ts';
import { ownEvent } from '../session/own-event.ts';

export const setDriven = (loop: Loop, clock: Clock, id: string, on: boolean): Promise<void> =>
  loop.append([{ draft: ownEvent(drivenName, id, clock.now(), { on }) }]);
