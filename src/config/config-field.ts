/**
 * Reads single fields of config.json without checking it: for commands that must not load the schema library, or that have
 * to work with a config that the daemon rejects.
 */
import { readConfigObject } from './config-object.ts';

/** Returns the field at this path; undefined when there is none, or the file cannot be read as an object. */
export const configField = (file: string, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => Object(value)[name], readConfigObject(file));

/** Returns `claude`, the path of the CLI, where it is set. */
export const configuredClaude = (file: string): string | undefined => {
  const claude = configField(file, ['claude']);
  return typeof claude === 'string' ? claude : undefined;
};
