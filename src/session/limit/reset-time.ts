/** When a usage limit is reset, in the words of Claude Code: `resets 3:45pm (Europe/Berlin)`, `resets Nov 20, 2pm (UTC)`. */

/** Returns the time in such a text, ms; null when it names none. `at`: when it was written. */
export const resetTimeIn = (text: string, at: number): number | null => {
  // Older versions write the seconds since the epoch after the message.
  const seconds = /limit reached\|(\d{9,11})\b/.exec(text)?.[1];
  if (seconds !== undefined) return Number(seconds) * 1_000;
  const found = pattern.exec(text)?.groups;
  if (!found) return null;
  try {
    return timeOf(found, at);
  } catch {
    // A time zone that this machine does not know.
    return null;
  }
};

const pattern =
  /\bresets (?:at )?(?:(?<month>[A-Z][a-z]{2})[a-z]* (?<day>\d{1,2})(?:,? (?:\d{4},? )?(?:at )?| at ))?(?<hour>\d{1,2})(?::(?<minute>\d\d))? ?(?<half>[ap]m)(?: \((?<zone>[\w/+-]+)\))?/i;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const day = 86_400_000;

/** Returns the next such time after the message, which may be up to a minute late: the text has whole minutes. */
const timeOf = (found: Record<string, string | undefined>, at: number): number => {
  const hour = (Number(found.hour) % 12) + (found.half?.toLowerCase() === 'pm' ? 12 : 0);
  const minute = Number(found.minute ?? 0);
  const here = new Date(at + offsetOf(found.zone, at));
  const month = found.month === undefined ? here.getUTCMonth() : months.indexOf(found.month.toLowerCase());
  const date = found.day === undefined ? here.getUTCDate() : Number(found.day);
  const inYear = (year: number): number => {
    const local = Date.UTC(year, month, date, hour, minute);
    return local - offsetOf(found.zone, local - offsetOf(found.zone, local));
  };
  const time = inYear(here.getUTCFullYear());
  if (time >= at - 60_000) return time;
  return found.day === undefined ? time + day : inYear(here.getUTCFullYear() + 1);
};

/** How far a time zone is ahead of UTC at a time, ms. Without a name it is that of this machine. */
const offsetOf = (zone: string | undefined, time: number): number => {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...(zone !== undefined && { timeZone: zone }),
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(time);
  const of = (type: string): number => Number(parts.find(part => part.type === type)?.value);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'));
  return local - Math.floor(time / 60_000) * 60_000;
};
