/** Formats times of day. */
const two = (number: number): string => String(number).padStart(2, '0');

export const clockTime = (at: number): string => {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
};

/** `11-16`, the month and the day. */
export const dateText = (at: number): string => {
  const date = new Date(at);
  return `${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};

export const hourTime = (at: number): string => clockTime(at).slice(0, 5);
