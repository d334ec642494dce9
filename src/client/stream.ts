/** Reads a stream of the daemon, and resumes it by cursor when it breaks. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { DroverError } from '../contract/error.ts';
import { pathOf } from './route-call.ts';
import { isStarting } from './running.ts';
import { errorOf, open, type Reach, textOf } from './call.ts';

export interface Frame {
  event: string;
  data: string;
  id: string | undefined;
}

/** Follows a stream until the daemon ends it or `signal` aborts. With `reconnect`, a broken connection is opened again. */
export async function* follow(
  paths: Reach,
  path: string,
  after?: number,
  reconnect = true,
  signal?: AbortSignal,
): AsyncGenerator<Frame> {
  let cursor = after === undefined ? undefined : String(after);
  for (let joined = false; ; joined = true) {
    const headers: Record<string, string> = cursor === undefined ? {} : { 'Last-Event-ID': cursor };
    const accept = { Accept: 'text/event-stream', ...headers };
    const response = await open(paths, 'GET', path, undefined, accept, 0, signal).catch(error => {
      // It was up and is down again: a second restart.
      if (signal?.aborted || (joined && reconnect && isDown(error))) return null;
      throw error;
    });
    if (signal?.aborted) return;
    if (!response) {
      await awaitDaemon(paths, signal);
      continue;
    }
    if (response.statusCode === 204) return;
    if (response.statusCode !== 200) {
      const error = errorOf(await textOf(response));
      if (!joined || !reconnect || !isAway(error)) throw error;
      await awaitDaemon(paths, signal);
      continue;
    }
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
      if (!reconnect && !signal?.aborted) throw error;
    }
    if (!reconnect || signal?.aborted) return;
    await awaitDaemon(paths, signal);
  }
}

export const isDown = (error: unknown): boolean =>
  error instanceof DroverError && error.code === 'daemon_down';

/** Whether the daemon is down, or up again but still reading its log. */
export const isAway = (error: unknown): boolean => isDown(error) || isStarting(error);

/** Waits until the daemon answers again. Nothing announces that, so it is polled. */
export const awaitDaemon = async (paths: Reach, signal?: AbortSignal): Promise<void> => {
  while (!signal?.aborted) {
    await new Promise(resolve => setTimeout(resolve, 300));
    try {
      const response = await open(paths, 'GET', pathOf('health'), undefined, {}, 0, signal);
      response.resume();
      if (response.statusCode === 200) return;
    } catch {
      /* not yet */
    }
  }
};
