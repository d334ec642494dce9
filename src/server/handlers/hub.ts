/** Drives sessions: create, keys, interrupt, stop, park. */
import { transcriptPage } from '../../claude/transcript-page.ts';
import { DroverError } from '../../contract/error.ts';
import { type PressKeys, SendMessage } from '../../contract/hub.ts';
import { type Caller, isByHand, isPerson } from '../../contract/caller.ts';
import type { Parking } from '../../hub/start/parking.ts';
import type { ManagedSessions } from '../../hub/start/managed-sessions.ts';
import type { DrivePolicy } from '../../hub/drive-policy.ts';
import type { Messages } from '../../hub/message/messages.ts';
import type { SessionControls } from '../../hub/start/session-controls.ts';
import { checkedText } from '../../hub/message/text.ts';
import type { SessionIndex } from '../../live/session-index.ts';
import { type Folded, shown } from '../../session/memory.ts';
import { isRemote } from '../../contract/origin.ts';
import type { Handlers } from '../call.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { countOf } from '../count.ts';
import { findNewest, findSession } from './sessions.ts';
import { shortId } from '../../contract/short-id.ts';

export interface Hub {
  sessionIndex: SessionIndex;
  sessions: ManagedSessions;
  messages: Messages;
  controls: SessionControls;
  /** Waits until a session accepts a prompt. */
  ready: (id: string) => Promise<Folded>;
  drive: DrivePolicy;
  parking: Parking;
  /** Records that a person lets programs type into a session, or no longer does. */
  setDriven: (id: string, on: boolean) => Promise<void>;
}

export const hubHandlers = ({
  sessionIndex,
  sessions,
  messages,
  controls,
  ready,
  drive,
  parking,
  setDriven,
}: Hub): Pick<
  Handlers,
  | 'createSession'
  | 'pressKeys'
  | 'interruptSession'
  | 'stopSession'
  | 'parkSession'
  | 'readTranscript'
  | 'setDriven'
> => {
  const driven = (id: string, caller: Caller): Folded => {
    const session = findSession(sessionIndex, id);
    drive.assertMayDrive(session, isByHand(caller));
    return session;
  };
  return {
    createSession: async ({ query, headers, body, action }) => {
      action.session = body.session_id;
      action.text = [body.cwd, body.prompt].filter(Boolean).join(': ');
      const wait = query.get('wait');
      if (wait !== null && wait !== 'ready')
        throw new DroverError('bad_request', 'wait: only `ready` is allowed.');
      if (body.prompt !== undefined) assertMayPrompt(body.prompt, drive);
      const key = idempotencyKey(headers);
      const { folded, fresh } = await sessions.create(body, key);
      // Under the same key the prompt is the same message: after a crash it is sent now, unless it was sent before.
      if (body.prompt !== undefined && (fresh || folded.state !== 'ended'))
        await messages.send(folded, SendMessage.parse({ text: body.prompt }), key && `create ${key}`);
      return shown(wait === 'ready' ? await ready(folded.id) : folded);
    },
    pressKeys: async ({ params, body, action, caller }) => {
      action.text = body.keys.map(keyText).join(' ');
      const session = driven(params.id, caller);
      await controls.pressKeys(session, body);
      return shown(sessionIndex.get(session.id) ?? session);
    },
    interruptSession: async ({ params: { id }, caller }) =>
      shown(await messages.interrupt(driven(id, caller), () => controls.interrupt(driven(id, caller)))),
    stopSession: async ({ params: { id }, query, action, caller }) => {
      const session = findSession(sessionIndex, id);
      const force = query.get('force') === '1';
      if (force) action.text = 'force';
      drive.assertMayStop(session, force, isByHand(caller));
      if (!session.managed && !force)
        throw new DroverError(
          'refused',
          `${shortId(session.id)} was not started through Drover.`,
          '`?force=1` stops it anyway.',
        );
      return shown(await controls.stop(session));
    },
    parkSession: async ({ params: { id }, caller }) => {
      const session = findNewest(sessionIndex, id);
      if (!isPerson(caller)) drive.assertMayDrive(session);
      return shown(await parking.park(session));
    },
    setDriven: async ({ params: { id }, body: { on }, action }) => {
      action.text = on ? 'on' : 'off';
      const session = findNewest(sessionIndex, id);
      // A message starts a parked one.
      const wanted = session.parked ? { ...session, state: 'waiting' as const } : session;
      if (on) drive.assertMayDrive({ ...wanted, driven: true });
      await setDriven(session.id, on);
      return shown(sessionIndex.get(session.id) ?? session);
    },
    readTranscript: ({ params: { id }, query }) => {
      const session = findSession(sessionIndex, id);
      const after = Number(query.get('after') ?? 0);
      if (!Number.isSafeInteger(after) || after < 0) throw new DroverError('bad_cursor');
      const most = countOf(query.get('limit'), 100, 1_000);
      const page =
        session.transcript && !isRemote(session) ? transcriptPage(session.transcript, after, most) : null;
      if (!page) throw new DroverError('no_transcript', `${shortId(session.id)} has no transcript.`);
      return page;
    },
  };
};

/** Throws before a session is started with a prompt that cannot be sent. */
const assertMayPrompt = (prompt: string, drive: DrivePolicy): void => {
  checkedText(prompt);
  if (drive.mode === 'none')
    throw new DroverError(
      'refused',
      'Nothing is typed into any session: `drive` is "none".',
      'Leave `prompt` out.',
    );
};

const keyText = (key: PressKeys['keys'][number]): string =>
  typeof key === 'string' ? key : JSON.stringify(key.text);
