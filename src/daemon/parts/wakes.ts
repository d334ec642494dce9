/** Wakes: what is sent to the agents of the config, and those whose answer decides. */
import { keepMarkers } from '../../hub/request/markers.ts';
import type { Audit } from '../../live/audit.ts';
import { wakeHandlers } from '../../server/handlers/wakes.ts';
import { Bidirectional } from '../../wake/decide/bidirectional.ts';
import { sendToSession } from '../../wake/deliver/send-to-session.ts';
import { finalStop } from '../../wake/outbox/final-stop.ts';
import { Wakes } from '../../wake/outbox/wakes.ts';
import { checkAgent } from '../../wake/registry/check-agent.ts';
import type { Core } from '../core.ts';
import { redactor } from '../redact.ts';
import type { Agents } from './agents.ts';
import type { Hub } from './hub.ts';

export interface WakeDeps {
  hub: Pick<Hub, 'messages' | 'send' | 'receipts' | 'holds' | 'answers'>;
  agents: Agents;
  audit: Pick<Audit, 'record'>;
}

export const openWakes = (core: Core, { hub, agents, audit }: WakeDeps) => {
  const { paths, env, config, loop, store, clock, log } = core;
  const { messages, receipts, holds, answers } = hub;
  const { registry, drive, awaitsAgent } = agents;
  const { sessionIndex } = loop;
  const mask = redactor(() => config.redact);
  const delivery = {
    dir: paths.wakes,
    env,
    now: clock.now,
    send: sendToSession(sessionIndex, {
      send: hub.send,
      firstStatus: (id, sessionId) => messages.firstStatus({ id, sessionId }),
    }),
    wasSent: (key: string) => receipts.isKnown(key),
  };
  const isFinal = finalStop(env);
  // A session that an agent watches may be driven, unless none may.
  const mayDrive = () => drive.mode !== 'none';
  const wakes = new Wakes(loop, store, registry, clock, {
    ...delivery,
    isFinal: session => !awaitsAgent(session) && isFinal(session),
    isDeciding: (agent, triggerEvent, session) => bidirectional.isDeciding(agent, triggerEvent, session),
    mayDrive,
    mask,
    onError: log.error,
  });
  const bidirectional = new Bidirectional(loop, store, registry, clock, {
    delivery,
    markers: paths.awaited,
    answer: async (id, hold, answer) => {
      const session = sessionIndex.get(id);
      if (answer && session) await answers.answer(session, { id: hold, ...answer }, false);
      else holds.releaseToTerminal(id, hold);
    },
    later: wake => wakes.adopt(wake),
    record: action => void audit.record(action),
    mayDrive,
    mask,
    onError: log.error,
  });
  const awaitedMarkers = keepMarkers(paths.awaited, loop, awaitsAgent);
  return {
    name: 'wakes',
    bidirectional,
    views: { wakes, awaitedMarkers },
    handlers: wakeHandlers({
      registry,
      wakes,
      table: store.wakes,
      sessionIndex,
      check: (agent, send) => checkAgent(agent, { wakes, sessionIndex, env, drive: drive.mode }, send),
    }),
    start: () => wakes.start(),
    close: () => {
      bidirectional.close();
      wakes.close();
    },
  };
};
