/** Reads server-sent events with `fetch`, because `EventSource` cannot send the key. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { open } from './call.ts';
import { errorIn } from './daemon-error.ts';

/**
 * Reads one stream until it ends, breaks or is aborted; calls `alive` for every chunk. Throws the error that the daemon
 * answered instead of a stream.
 */
export async function* frames(
  path: string,
  signal: AbortSignal,
  alive: () => void = () => {},
  after?: string,
): AsyncGenerator<EventSourceMessage> {
  const headers: Record<string, string> = after === undefined ? {} : { 'Last-Event-ID': after };
  const response = await open('GET', path, undefined, signal, { Accept: 'text/event-stream', ...headers });
  if (response.status === 204 || !response.body) return;
  if (!response.ok) throw errorIn(await response.text());
  const ready: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: message => ready.push(message) });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    alive();
    parser.feed(value);
    yield* ready.splice(0);
  }
}
