/** The text of config.json as a value, with the line of each field for messages. The daemon and the registry read it by this. */
import { findNodeAtLocation } from 'jsonc-parser';
import { parseStrictJson } from './strict-json.ts';

type Path = readonly (string | number)[];

export interface ConfigText {
  value: Record<string, unknown>;
  /** The line of a field, or of its nearest parent that exists. */
  lineOf: (path: Path) => number;
}

/** The text is not a JSON object. */
export class ConfigSyntaxError extends Error {
  constructor(
    readonly line: number,
    /** What it is not. */
    readonly wanted: 'JSON' | 'a JSON object',
  ) {
    super(`line ${line} is not ${wanted}`);
  }
}

/** Parses the text; an empty one is an empty object. Throws `ConfigSyntaxError`. */
export const parseConfigText = (text: string): ConfigText => {
  if (text.trim() === '') return { value: {}, lineOf: () => 1 };
  const parsed = parseStrictJson(text);
  if ('fault' in parsed) throw new ConfigSyntaxError(lineAt(text, parsed.fault.offset), 'JSON');
  const { root, value } = parsed;
  if (root.type !== 'object') throw new ConfigSyntaxError(1, 'a JSON object');
  const lineOf = (path: Path): number => {
    for (let length = path.length; length > 0; length--) {
      const node = findNodeAtLocation(root, path.slice(0, length));
      if (node) return lineAt(text, node.offset);
    }
    return lineAt(text, root.offset);
  };
  return { value: value as Record<string, unknown>, lineOf };
};

/** A path as messages show it: `agents[2].deliver`. */
export const fieldName = (path: Path): string =>
  path.reduce<string>(
    (name, step) => (typeof step === 'number' ? `${name}[${step}]` : name ? `${name}.${step}` : step),
    '',
  );

/** The path of an issue of a schema. */
export const issuePath = ({ path }: { path: PropertyKey[] }): (string | number)[] =>
  path.map(step => (typeof step === 'number' ? step : String(step)));

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
