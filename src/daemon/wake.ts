/** Wakes put together: the agents of the config, what is sent to them, and those whose answer decides. */
import { systemClock as clock } from '../clock.ts';
import type { DrivePolicy } from '../hub/drive-policy.ts';
import { keepMarkers } from '../hub/request/markers.ts';
import type { WakeParts } from '../server/handlers/wakes.ts';
import type { Audit } from '../live/audit.ts';
import { Bidirectional } from '../wake/decide/bidirectional.ts';
import { checkAgent } from '../wake/registry/check-agent.ts';
import { sendToSession } from '../wake/deliver/send-to-session.ts';
import { finalStop } from '../wake/outbox/final-stop.ts';
import type { Registry } from '../wake/registry/registry.ts';
import { Wakes } from '../wake/outbox/wakes.ts';
import type { Hub } from './hub.ts';
import type { DaemonDeps } from './deps.ts';
import { redactor } from './redact.ts';

export interface WakeGround extends DaemonDeps {
  hub: Hub;
  registry: Registry;
  drive: DrivePolicy;
  audit: Pick<Audit, 'record'>;
}

export interface OpenWakes {
  door: WakeParts;
  bidirectional: Bidirectional;
  start: () => void;
  close: () => void;
}

export const openWakes = ({
  paths,
  env,
  config,
  loop,
  store,
  log,
  hub,
  registry,
  drive,
  catchUp,
  audit,
}: WakeGround): OpenWakes => {
  const { messages, receipts, holds } = hub;
  const mask = redactor(config.redact);
  const ways = {
    dir: paths.wakes,
    env,
    now: clock.now,
    send: sendToSession(loop.sessionIndex, {
      send: (session, wish, key) => messages.send(session, wish, key),
      firstWord: (id, sessionId) => messages.firstWord({ id, sessionId }),
    }),
    wasSent: (key: string) => receipts.isKnown(key),
  };
  const isFinal = finalStop(env);
  // What an agent watches may be driven, unless nothing may.
  const mayDrive = () => drive.mode !== 'none';
  const wakes = new Wakes(loop, store, registry, clock, {
    ...ways,
    isFinal: session => !bidirectional.awaits(session) && isFinal(session),
    isAnswering: (agent, occasion, session) => bidirectional.isAnswering(agent, occasion, session),
    mayDrive,
    mask,
    onError: log.error,
  });
  const bidirectional = new Bidirectional(loop, store, registry, clock, {
    ways,
    markers: paths.awaited,
    catchUp,
    answer: async (id, hold, answer) => {
      if (answer) await holds.answer(id, { id: hold, ...answer });
      else holds.releaseToTerminal(id, hold);
    },
    later: wake => wakes.adopt(wake),
    record: action => void audit.record(action),
    mayDrive,
    mask,
    onError: log.error,
  });
  keepMarkers(paths.awaited, loop, session => bidirectional.awaits(session));
  return {
    door: {
      registry,
      wakes,
      table: store.wakes,
      sessionIndex: loop.sessionIndex,
      check: (agent, send) =>
        checkAgent(agent, { wakes, sessionIndex: loop.sessionIndex, env, drive: drive.mode }, send),
    },
    bidirectional,
    start: () => wakes.start(),
    close: () => {
      bidirectional.close();
      wakes.close();
    },
  };
};
