/** Quiet hours in local time, which may cross midnight. */

export interface QuietHours {
  /** Such as `22:00`. */
  from: string;
  to: string;
}

/** Returns when the quiet hours that contain this time end, ms; null outside them. */
export const quietUntil = (hours: QuietHours | null, now: number): number | null => {
  if (!hours || hours.from === hours.to) return null;
  const date = new Date(now);
  const [from, to] = [minutesOf(hours.from), minutesOf(hours.to)];
  const minute = date.getHours() * 60 + date.getMinutes();
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isQuiet) return null;
  // By the calendar, not by adding hours: a day on which the clocks change has 23 or 25 of them.
  const day = date.getDate() + (minute < to ? 0 : 1);
  const end = new Date(date.getFullYear(), date.getMonth(), day, Math.floor(to / 60), to % 60).getTime();
  // Where the clocks are put back, the end may be in the hour that comes twice.
  return end > now ? end : end + 3_600_000;
};

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};
