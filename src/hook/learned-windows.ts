/**
 * Learns the context window of models from what the CLI itself says: the JSON of its status line, and the result of
 * `claude -p --output-format json`. Remembered per model and version of the CLI.
 */
import { type FindWindow, undated } from '../claude/window.ts';
import type { Draft } from '../contract/event.ts';
import { parseObject } from './payload.ts';
import { limits } from '../limits.ts';

interface Facts {
  read: (name: string) => object | null;
  save: (name: string, value: object) => void;
}

/** By model, then by version; the version is empty where it is not known. */
interface Learned {
  [model: string]: { [version: string]: number };
}

const factName = 'windows';

/** The name under which the emitter delivers the JSON of a status line. */
export const statusLineName = 'StatusLine';

export interface LearnedWindows {
  find: FindWindow;
  /** Learns from a delivery; true when it was one of these, which is not an event of the session. */
  learn: (draft: Draft, versionOf: (sessionId: string) => string | null) => boolean;
}

export const learnedWindows = (facts: Facts): LearnedWindows => {
  const read = (): Learned => (facts.read(factName) ?? {}) as Learned;
  const save = (model: string, version: string, size: number): void => {
    const known = read();
    const name = undated(model);
    if (known[name]?.[version] === size) return;
    facts.save(factName, bounded({ ...known, [name]: bounded({ ...known[name], [version]: size }) }));
  };
  return {
    find: (model, version) => {
      const versions = read()[model] ?? {};
      return (version === null ? undefined : versions[version]) ?? Object.values(versions).at(-1) ?? null;
    },
    learn: (draft, versionOf) => {
      if (draft.source !== 'hook' || !(draft.name === statusLineName || draft.name === 'unknown'))
        return false;
      const found = windowsIn(parseObject(draft.raw));
      if (found === null) return draft.name === statusLineName;
      const version = found.version ?? (draft.sessionId && versionOf(draft.sessionId)) ?? '';
      for (const [model, size] of found.sizes)
        if (isPlausible(model, size)) save(model, version, size as number);
      return true;
    },
  };
};

interface Said {
  version: string | null;
  sizes: [model: string, size: unknown][];
}

const windowsIn = (payload: object | null): Said | null => {
  const { model, context_window, version, modelUsage } = Object(payload) as Record<string, unknown>;
  if (context_window !== undefined)
    return {
      version: typeof version === 'string' && version.length < 40 ? version : null,
      sizes: [[String(Object(model).id), Object(context_window).context_window_size]],
    };
  if (modelUsage === undefined) return null;
  const rows = Object.entries(Object(modelUsage) as Record<string, unknown>);
  return { version: null, sizes: rows.map(([name, usage]) => [name, Object(usage).contextWindow]) };
};

const isPlausible = (model: string, size: unknown): boolean =>
  /^[\w.:@/[\]-]{3,80}$/.test(model) &&
  typeof size === 'number' &&
  Number.isInteger(size) &&
  size >= 1_000 &&
  size <= 1_000_000_000;

/** The newest entries of a record that others fill. */
const bounded = <T>(record: { [key: string]: T }): { [key: string]: T } =>
  Object.fromEntries(Object.entries(record).slice(-limits.watch.learnedWindows));
