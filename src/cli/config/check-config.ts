/** Checks the text of config.json: the config of the daemon, the registry of agents, and fields that no version knows. */
import { fieldName, parseConfigText } from '../../config/config-text.ts';
import { DroverError } from '../../contract/error.ts';
import { configSchema, type JsonSchema } from '../../contract/config-schema.ts';
import { parseConfig } from '../../daemon/config.ts';
import { parseRegistry } from '../../wake/registry/parse-registry.ts';
import { nearestVerb } from '../nearest-verb.ts';

export interface ConfigFindings {
  /** Why the file cannot be used as it is. */
  problems: string[];
  /** What is ignored. */
  warnings: string[];
}

export const checkConfig = (text: string, file: string): ConfigFindings => {
  try {
    parseConfig(text, file);
  } catch (error) {
    return { problems: [(error as Error).message], warnings: [] };
  }
  const { problems } = parseRegistry(text);
  const { value, lineOf } = parseConfigText(text);
  return {
    problems: problems.map(({ line, where, reason }) => `${file}: line ${line}: ${where}: ${reason}`),
    warnings: unknownFields(value, configSchema(), []).map(({ path, guess }) => {
      const known = guess ? `; did you mean ${fieldName([...path.slice(0, -1), guess])}?` : '';
      return `${file}: line ${lineOf(path)}: ${fieldName(path)}: unknown, ignored${known}`;
    }),
  };
};

/** Throws for a setting that the schema does not name: in the file it would be ignored. */
export const assertKnown = (path: string[]): void => {
  const unknown = unknownSetting(path);
  if (!unknown) return;
  throw new DroverError(
    'usage',
    `${path.join('.')} is not a setting. Nothing was changed.`,
    unknown.guess
      ? `Did you mean \`${unknown.guess}\`?`
      : 'See `drover config get`. `drover config edit` can add fields that this version does not know.',
  );
};

/** Null for a setting that the schema names; else the one that may be meant. */
export const unknownSetting = (path: string[]): { guess: string | null } | null => {
  const value = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), null);
  const [unknown] = unknownFields(value, configSchema(), []);
  if (!unknown) return null;
  const { guess } = unknown;
  return { guess: guess && [...unknown.path.slice(0, -1), guess].join('.') };
};

interface Unknown {
  path: string[];
  /** A known field with a similar name. */
  guess: string | null;
}

/** Finds fields that the schema does not name. Entries of agents may have more. */
const unknownFields = (value: unknown, schema: JsonSchema, path: string[]): Unknown[] => {
  const { properties } = schema;
  if (!properties || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  if (path[0] === 'hook_settings') return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (own === undefined)
      return [{ path: [...path, key], guess: nearestVerb(key, Object.keys(properties)) }];
    return typeof own === 'object' ? unknownFields(inner, own, [...path, key]) : [];
  });
};
