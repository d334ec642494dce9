/** docs/seeds.md: every file and every test title in its tables exists, and no item is missing. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const page = readFileSync('docs/seeds.md', 'utf8');

interface Item {
  what: string;
  files: string[];
  shown: { file: string; title: string }[];
}

/** The rows of each table, by its heading. */
const itemsOf = (text: string): Map<string, Item[]> =>
  new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map(part => [
        part.slice(0, part.indexOf('\n')),
        part.split('\n').slice(4).filter(Boolean).map(itemOf),
      ]),
  );

const itemOf = (row: string): Item => {
  const links = [...row.matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => `docs/${link}`);
  const shown = [...row.matchAll(/\]\(([^)]+)\) “([^”]+)”/g)];
  return {
    what: row.split('|')[2]?.trim() ?? '',
    files: links,
    shown: shown.map(([, link = '', title = '']) => ({ file: `docs/${link}`, title })),
  };
};

/** What a row names but the tree does not have. */
const dead = ({ what, files, shown }: Item): string[] => [
  ...files.filter(file => !existsSync(file)).map(file => `${what}: ${file}`),
  ...shown.filter(({ file, title }) => !hasTitle(file, title)).map(({ title }) => `${what}: “${title}”`),
];

/** Titles are at the beginning of a call, on a separate line, or the name of a scenario. */
const hasTitle = (file: string, title: string): boolean =>
  existsSync(file) &&
  readFileSync(file, 'utf8')
    .replaceAll("\\'", "'")
    .split('\n')
    .some(line => line.includes(title) && /^\s*(?:test|\]?\)|['"`]|\{ name:|name:)/.test(line));

test('all 233 items of the five documents are listed', () => {
  expect([...itemsOf(page)].map(([name, items]) => [name, items.length])).toEqual([
    ['Trail Boss', 40],
    ['tmux options and cld', 45],
    ['claude-code-hub', 50],
    ['claude-print', 36],
    ['gsd-code-skill', 62],
  ]);
});

test('each names a test that shows it, and everything that it names exists', () => {
  const items = [...itemsOf(page).values()].flat();
  expect(items.filter(({ shown }) => shown.length === 0).map(({ what }) => what)).toEqual([]);
  expect(items.flatMap(dead)).toEqual([]);
  const gone = itemOf(
    '| 1 | x | [a](../src/nowhere.ts) | [b](../test/seeds.arch.test.ts) “no such title: 0” | |',
  );
  expect(
    dead({ ...gone, shown: [{ file: 'test/seeds.arch.test.ts', title: `no such title: ${1 + 1}` }] }),
  ).toHaveLength(2);
});

test('the container example copies only what the repository or its build has', () => {
  const text = readFileSync('examples/container/Dockerfile', 'utf8');
  const built = ['dist', 'node_modules'];
  const copied = [...text.matchAll(/^COPY --from=build \/src\/(\S+)/gm)].map(([, path = '']) => path);
  expect(copied.filter(path => !built.includes(path) && !existsSync(path))).toEqual([]);
  expect(copied).toEqual(expect.arrayContaining(['dist', 'node_modules', 'package.json']));
  const compose = readFileSync('examples/container/compose.yaml', 'utf8');
  const mounts = [...compose.matchAll(/^\s+- (\$\{HOME\}[^:]*|\/tmp\/[^:]*):([^:\n]*)/gm)];
  expect(mounts).toHaveLength(3);
  for (const [, outside, inside] of mounts) expect(inside).toBe(outside);
});
