/** The text of config.json as a value, with the line of each field for messages. Used by the daemon and the registry. */
import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { type ConfigFault, type ConfigObject, configObject } from './config-object.ts';
import { parseStrictJson } from './strict-json.ts';

type Path = readonly (string | number)[];

export interface ConfigText {
  value: ConfigObject;
  /** The line of a field, or of its nearest parent that exists. */
  lineOf: (path: Path) => number;
}

/** The text is not a JSON object. */
export class ConfigSyntaxError extends Error {
  constructor(
    readonly line: number,
    /** What it is not. */
    readonly wanted: ConfigFault,
  ) {
    super(`line ${line} is not ${wanted}`);
  }
}

/** Parses the text; an empty one is an empty object. Throws `ConfigSyntaxError`. */
export const parseConfigText = (text: string): ConfigText => {
  const parsed = configObject(text);
  if ('fault' in parsed) throw new ConfigSyntaxError(faultLine(text), parsed.fault);
  const lineOf = (path: Path): number => {
    const root = parseTree(text);
    if (!root) return 1;
    for (let length = path.length; length > 0; length--) {
      const node = findNodeAtLocation(root, path.slice(0, length));
      if (node) return lineAt(text, node.offset);
    }
    return lineAt(text, root.offset);
  };
  return { value: parsed.value, lineOf };
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

/** The line at which the text stops being JSON; the first if it is JSON, but not an object. */
const faultLine = (text: string): number => {
  const parsed = parseStrictJson(text);
  return 'fault' in parsed ? lineAt(text, parsed.fault.offset) : 1;
};

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
