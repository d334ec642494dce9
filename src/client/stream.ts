/** A stream of the daemon, resumed by cursor when it breaks. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { DroverError } from '../contract/error.ts';
import { pathOf } from './route-call.ts';
import { errorOf, open, type Reach, textOf } from './call.ts';

export interface Frame {
  event: string;
  data: string;
  id: string | undefined;
}

/** Follows a stream. Ends when the daemon says that nothing follows; a broken connection is mended while `mend` says so. */
export async function* follow(
  paths: Reach,
  path: string,
  after?: number,
  mend = true,
): AsyncGenerator<Frame> {
  let cursor = after === undefined ? undefined : String(after);
  for (let joined = false; ; joined = true) {
    const headers: Record<string, string> = cursor === undefined ? {} : { 'Last-Event-ID': cursor };
    const response = await open(paths, 'GET', path, undefined, {
      Accept: 'text/event-stream',
      ...headers,
    }).catch(error => {
      // It was there and has gone again: a second restart.
      if (joined && mend && isDown(error)) return null;
      throw error;
    });
    if (!response) {
      await backAgain(paths);
      continue;
    }
    if (response.statusCode === 204) return;
    if (response.statusCode !== 200) throw errorOf(await textOf(response));
    const ready: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: message => ready.push(message) });
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response) {
        parser.feed(decoder.decode(chunk as Buffer, { stream: true }));
        for (const message of ready.splice(0)) {
          cursor = message.id ?? cursor;
          yield { event: message.event ?? 'message', data: message.data, id: message.id };
          if (message.event === 'end') return;
        }
      }
    } catch (error) {
      if (!mend) throw error;
    }
    if (!mend) return;
    await backAgain(paths);
  }
}

export const isDown = (error: unknown): boolean =>
  error instanceof DroverError && error.code === 'daemon_down';

/** Waits until the daemon answers again. There is no event for a process that is not there, so it is asked. */
export const backAgain = async (paths: Reach): Promise<void> => {
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, 300));
    try {
      const response = await open(paths, 'GET', pathOf('health'));
      response.resume();
      return;
    } catch {
      /* not yet */
    }
  }
};
