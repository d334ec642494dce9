/** The text of config.json as a value, with the line of each field for messages. The daemon and the registry read it by this. */
import { findNodeAtLocation, type ParseError, parseTree } from 'jsonc-parser';

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
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [fault] = errors;
  if (fault) throw new ConfigSyntaxError(lineAt(text, fault.offset), 'JSON');
  if (root?.type !== 'object') throw new ConfigSyntaxError(1, 'a JSON object');
  const lineOf = (path: Path): number => {
    for (let length = path.length; length > 0; length--) {
      const node = findNodeAtLocation(root, path.slice(0, length));
      if (node) return lineAt(text, node.offset);
    }
    return lineAt(text, root.offset);
  };
  return { value: objectIn(text), lineOf };
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

// JSON.parse is the stricter of the two.
const objectIn = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new ConfigSyntaxError(1, 'JSON');
  }
};

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
