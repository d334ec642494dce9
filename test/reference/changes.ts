/** What an event of Drover's own says on purpose that it did not say when the corpus was recorded. Names are in renames.ts. */

interface OwnEvent {
  source: string;
  name: string;
  sessionId: string | null;
  payload: Record<string, unknown>;
}

interface Change {
  reason: string;
  applies: (event: OwnEvent) => boolean;
  payload: (event: OwnEvent) => OwnEvent['payload'];
}

const changes: Change[] = [
  {
    reason: "One builder makes all events of Drover's own, and names the session in each payload (61ba81c).",
    applies: ({ source }) => source === 'drover',
    payload: ({ sessionId, payload }) => ({ session_id: sessionId, ...payload }),
  },
];

/** A recorded event as it is expected today. */
export const changed = (event: unknown): unknown =>
  changes
    .filter(({ applies }) => applies(event as OwnEvent))
    .reduce((now, { payload }) => ({ ...now, payload: payload(now) }), event as OwnEvent);
