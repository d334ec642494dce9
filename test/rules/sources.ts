/** The sources as text, and who imports whom. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Source {
  /** Path from the repository's root, e.g. `src/live/loop.ts`. */
  path: string;
  text: string;
}

export const sources = (root = 'src'): Source[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(ts|tsx)$/.test(name))
    .map(name => ({ path: join(root, name), text: readFileSync(join(root, name), 'utf8') }));

export const isTest = ({ path }: Source): boolean =>
  path.endsWith('.test.ts') || path.startsWith('src/testing/');

/** The folder below src, or `` for a file directly in it. */
export const folderOf = (path: string): string => /^src\/([^/]+)\//.exec(path)?.[1] ?? '';

export interface Import {
  from: string;
  /** A path for an own file, else the package or `node:` name. */
  to: string;
  /** Erased at build time. */
  typeOnly: boolean;
  /** `import()`: loaded when it is used. */
  lazy: boolean;
}

export const importsOf = ({ path, text }: Source): Import[] => {
  const found = [
    ...text.matchAll(/^\s*(?:import|export)\s+(type\s)?[^;'"]*?from\s+'([^']+)'/gms),
    ...text.matchAll(/^\s*import\s+()'([^']+)'/gm),
  ].map(match => ({ typeOnly: Boolean(match[1]), lazy: false, name: match[2] as string }));
  const lazy = [...text.matchAll(/(?<!typeof )\bimport\('([^']+)'\)/g)].map(match => ({
    typeOnly: false,
    lazy: true,
    name: match[1] as string,
  }));
  return [...found, ...lazy].map(({ name, ...rest }) => ({
    ...rest,
    from: path,
    to: name.startsWith('.') ? normalize(join(dirname(path), name)) : name,
  }));
};
