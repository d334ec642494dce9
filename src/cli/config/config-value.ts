/** Names and values of config.json, as they are given on a command line. */
import { DroverError } from '../../contract/error.ts';

/** `stalls.queue` as a path. */
export const pathOf = (name: string): string[] => {
  const path = name.split('.');
  if (path.every(Boolean)) return path;
  throw new DroverError(
    'usage',
    `${JSON.stringify(name)} is not the name of a setting.`,
    'Write it like `stalls.queue`.',
  );
};

/** The value at a path; undefined when there is none. */
export const valueAt = (config: unknown, path: string[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    config,
  );

/** The possible meanings of a typed value, best first: JSON if it parses as JSON, then the text itself. */
export const readingsOf = (given: string): unknown[] => {
  try {
    return [JSON.parse(given), given];
  } catch {
    return [given];
  }
};

/** A value as it is printed: text as it is, anything else as JSON. */
export const printed = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);
