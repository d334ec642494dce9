/** `--config`: reads claude-print's defaults file, a TOML table of four keys. Flags override it. */
import { readFileSync } from 'node:fs';
import { PrintFailure } from '../../print/failure.ts';
import { type Call, text } from '../verb.ts';

type Value = string | number | boolean;

/** Validation and option of each key. */
const keys: Record<
  string,
  { isValid: (value: Value) => boolean; option: (value: Value) => Call['options'] }
> = {
  model: {
    isValid: value => typeof value === 'string' && /^claude-.{0,93}$/.test(value),
    option: value => ({ model: String(value) }),
  },
  inherit_hooks: {
    isValid: value => typeof value === 'boolean',
    option: value => (value ? {} : { 'no-inherit-hooks': true }),
  },
  max_turns: {
    isValid: value => isWhole(value, 1_000),
    option: value => ({ 'max-turns': String(value) }),
  },
  timeout_secs: {
    isValid: value => isWhole(value, 86_400),
    option: value => ({ timeout: String(value) }),
  },
};

/** Adds the defaults of the file given with `--config`. */
export const withConfig = (call: Call): Call => {
  const file = text(call, 'config');
  if (file === undefined) return call;
  try {
    return { ...call, options: { ...defaultsIn(readFileSync(file, 'utf8')), ...call.options } };
  } catch (error) {
    throw new PrintFailure('internal_error', `--config ${file}: ${(error as Error).message}`);
  }
};

/** Parses the file into options. Throws on anything unknown. */
export const defaultsIn = (toml: string): Call['options'] => {
  let options: Call['options'] = {};
  let table = '';
  for (const [at, line] of toml.split('\n').entries()) {
    const wrong = (why: string) => new Error(`line ${at + 1}: ${why}`);
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    const name = /^\s*\[\s*(\w+)\s*\]\s*(?:#.*)?$/.exec(line)?.[1];
    if (name !== undefined) {
      if (name !== 'defaults') throw wrong(`unknown table [${name}]`);
      table = name;
      continue;
    }
    const [, key = '', given = ''] =
      /^\s*(\w+)\s*=\s*("[^"\\]*"|'[^']*'|[\w.+-]+)\s*(?:#.*)?$/.exec(line) ?? [];
    if (!key || !table) throw wrong('syntax error');
    const known = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (!known) throw wrong(`unknown key ${key}`);
    const value = valueOf(given);
    if (!known.isValid(value)) throw wrong(`${key} cannot be ${given}`);
    options = { ...options, ...known.option(value) };
  }
  return options;
};

const valueOf = (given: string): Value => {
  if (/^["']/.test(given)) return given.slice(1, -1);
  if (given === 'true' || given === 'false') return given === 'true';
  return Number(given.replaceAll('_', ''));
};

const isWhole = (value: Value, most: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
