/**
 * Parses config.json, and the registries that it follows. The only parser of them: the daemon adds lines and a schema to it,
 * commands and hooks that must not load either use it alone.
 */
import { readText } from '../files/read-text.ts';

export type ConfigObject = Record<string, unknown>;

/** What the text is not. */
export type ConfigFault = 'JSON' | 'a JSON object';

/** Parses the text; an empty one is an empty object. */
export const configObject = (text: string): { value: ConfigObject } | { fault: ConfigFault } => {
  if (text.trim() === '') return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? { value } : { fault: 'a JSON object' };
  } catch {
    return { fault: 'JSON' };
  }
};

/** Reads the file; one that does not exist is empty. Null when it cannot be read as an object. */
export const readConfigObject = (file: string): ConfigObject | null => {
  try {
    const parsed = configObject(readText(file) ?? '');
    return 'value' in parsed ? parsed.value : null;
  } catch {
    return null;
  }
};

const isObject = (value: unknown): value is ConfigObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
