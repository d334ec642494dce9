/** For each status of a message: how a message gets that status before the daemon is killed. */
import { randomUUID } from 'node:crypto';
import type { MessageStatus, Receipt } from '../../src/contract/hub.ts';
import type { Session } from '../../src/contract/session.ts';
import { interceptTmux } from '../rig/intercept-tmux.ts';
import { type Hub, hubOf } from '../rig/hub.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const long = 'SLEEP 60000 SAY late';

/** Each leaves no daemon behind; the session still runs, or was killed before the daemon was. */
export const statuses: Record<MessageStatus, (world: World) => Promise<unknown>> = {
  queued: async world => {
    const { hub, session } = await working(world);
    await reaches(hub, (await hub.send(session.id, 'SAY next')).body.id, 'queued');
    await hub.kill9();
  },
  typed: async world => {
    // On the very Enter.
    const hub = await hubOf(world, await interceptTmux(world, '*send-keys*Enter*', 'kill -9 $PPID'));
    const { body: session } = await hub.create({ session_id: randomUUID() });
    await hub.send(session.id, { text: 'SAY once', wait: 'answered' }).then(
      () => {
        throw new Error('the daemon was not killed');
      },
      () => {},
    );
  },
  submitted: async world => {
    const { hub } = await working(world);
    await hub.kill9();
  },
  answered: async world => {
    const hub = await hubOf(world);
    const { body: session } = await hub.create();
    const { body } = await hub.send(session.id, { text: 'SAY this', wait: 'answered' });
    await reaches(hub, body.id, 'answered');
    await hub.kill9();
  },
  refused: async world => {
    const { hub, session } = await working(world);
    const { body } = await hub.send(session.id, 'SAY next');
    process.kill(session.pid ?? 0, 'SIGKILL');
    await reaches(hub, body.id, 'refused');
    await hub.kill9();
  },
  unknown: async world => {
    const { hub, session } = await working(world);
    const { body } = await hub.send(session.id, { text: 'SAY next', force: true, wait: 'typed' });
    await reaches(hub, body.id, 'typed');
    process.kill(session.pid ?? 0, 'SIGKILL');
    await reaches(hub, body.id, 'unknown');
    await hub.kill9();
  },
};

/** A session that works on a message of ours. */
const working = async (world: World): Promise<{ hub: Hub; session: Session }> => {
  const hub = await hubOf(world);
  const { body: session } = await hub.create();
  const { body } = await hub.send(session.id, { text: long, wait: 'submitted' });
  await reaches(hub, body.id, 'submitted');
  await world.model.asked(({ prompt }) => prompt?.includes('late') === true);
  return { hub, session };
};

const reaches = async (hub: Hub, id: string, status: MessageStatus): Promise<void> => {
  let last: Receipt | undefined;
  await until(
    20_000,
    () => `the message is ${JSON.stringify(last)}, not ${status}`,
    async () => {
      last = (await hub.ask<Receipt>('GET', `/messages/${id}`)).body;
      return last.status === status || undefined;
    },
  );
};
