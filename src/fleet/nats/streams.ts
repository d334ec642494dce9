/** Streams of the broker: how they are stored, and how one is read. */
import {
  type ConsumerMessages,
  type DeliverPolicy,
  DiscardPolicy,
  type JetStreamClient,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { limits } from '../../limits.ts';
import type { StreamSettings } from '../bus.ts';
import type { Reader } from '../stream-follower.ts';

export const streamConfig = (settings: StreamSettings) => {
  const { name, subjects, lastOnly, maxAgeMs, maxBytes, replicas } = settings;
  return {
    name,
    subjects,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    storage: StorageType.File,
    max_msgs_per_subject: lastOnly ? 1 : -1,
    max_age: maxAgeMs * 1_000_000,
    max_bytes: maxBytes,
    num_replicas: replicas,
    allow_direct: true,
    duplicate_window: Math.min(120_000, maxAgeMs || 120_000) * 1_000_000,
  };
};

export const openReader = async (
  client: JetStreamClient,
  stream: string,
  subject: string,
  policy: DeliverPolicy,
): Promise<Reader> => {
  const consumer = await client.consumers.get(stream, {
    // A list needs a newer broker than Debian has.
    filter_subjects: subject,
    deliver_policy: policy,
  });
  const { num_pending: waiting } = await consumer.info(true);
  const messages = await consumer.consume({
    max_messages: limits.fleet.readAhead,
    // nats-server 2.9.10 sometimes drops a reader without a word.
    idle_heartbeat: limits.fleet.readerHeartbeat,
  });
  /** Since when the next message is awaited; null while one is processed. */
  let waitingSince: number | null = performance.now();
  const read = async function* () {
    for await (const { subject: of, data: bytes, seq, info } of messages) {
      waitingSince = null;
      yield {
        // Times are whole milliseconds everywhere.
        message: { subject: of, bytes, seq, at: Math.round(info.timestampNanos / 1e6) },
        left: info.pending,
      };
      waitingSince = performance.now();
    }
  };
  void stopWhenSilent(messages, () => (waitingSince === null ? 0 : performance.now() - waitingSince));
  return { waiting, messages: read(), stop: () => messages.stop() };
};

/**
 * Ends a reader that the broker has forgotten, so that it is opened again. The client would wait for it: in a cluster for as long
 * as the broker that kept it is down, and after an unanswered question for 15 to 45 s.
 */
const stopWhenSilent = async (messages: ConsumerMessages, waited: () => number): Promise<void> => {
  for await (const { type } of messages.status()) {
    // The broker is also silent while a slow reader does not ask for more.
    if (type !== 'heartbeats_missed' || waited() < 2 * limits.fleet.readerHeartbeat) continue;
    messages.stop();
    return;
  }
};
