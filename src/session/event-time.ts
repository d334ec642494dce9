/** The time of an event. What a source says about it is untrusted: files and payloads can hold any number. */

/** The source's own time where it is plausible, else the time of arrival. Nothing happens after it was seen. */
export const eventTime = (at: unknown, seen: number): number =>
  typeof at === 'number' && at >= 0 && at <= seen ? Math.floor(at) : seen;
