/** Parks sessions: on request, and those that have been idle for as long as the config says. */
import { startParkingIdle } from '../hub/start/park-idle.ts';
import { Parking } from '../hub/start/parking.ts';
import type { Messages } from '../hub/message/messages.ts';
import { removeStartLock } from '../resume/start-lock.ts';
import { panesInSight } from '../tmux/server/clients.ts';
import type { Core } from './core.ts';
import type { Past } from './parts/past.ts';

export interface ParkingPartDeps {
  past: Pick<Past, 'resume' | 'hasTranscript'>;
  messages: Pick<Messages, 'reserve' | 'hasOpen'>;
}

export const openParking = (core: Core, { past, messages }: ParkingPartDeps) => {
  const { paths, config, loop, clock, log } = core;
  const parking = new Parking({
    loop,
    clock,
    paths,
    reserve: id => messages.reserve(id),
    hasMessages: id => messages.hasOpen(id),
    hasTranscript: past.hasTranscript,
    resume: (id, managed) => past.resume(id, false, managed),
    ended: id => removeStartLock(paths, id),
  });
  const startIdle = () =>
    startParkingIdle(config.park.idleHours, clock, {
      sessions: () => loop.sessionIndex.live(),
      park: session => parking.park(session),
      inSight: panesInSight,
      onError: log.error,
    });
  let stopIdle = () => {};
  return {
    parking,
    start: () => {
      parking.start();
      stopIdle = startIdle();
    },
    reload: (changed: ReadonlySet<string>) => {
      if (!changed.has('park')) return;
      stopIdle();
      stopIdle = startIdle();
    },
    close: () => stopIdle(),
  };
};
