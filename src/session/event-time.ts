/** The time of an event. The source's own time is untrusted: files and payloads can contain any number. */

/** Returns the source's own time if it is plausible, else the time of arrival. No event happens after it arrived. */
export const eventTime = (at: unknown, seen: number): number =>
  typeof at === 'number' && at >= 0 && at <= seen ? Math.floor(at) : seen;
