/** Files that other users can read, or that their owner cannot use. */
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Paths } from '../../paths.ts';
import type { Repair } from './repair.ts';

/** Lists what other users can read though it is private. */
export const filesOpenToOthers = (paths: Paths): string[] =>
  privateFiles(paths).filter(file => ((modeOf(file) ?? 0) & 0o077) !== 0);

export const permissionRepairs = (paths: Paths): Repair[] => {
  const all = new Set([...privateFiles(paths), ...ownFiles(paths.home)]);
  const wrong = [...all].flatMap(file => {
    const mode = modeOf(file);
    const wanted = mode === undefined ? undefined : wantedMode(mode, isFolder(file));
    return wanted === undefined || wanted === mode ? [] : [{ file, mode: mode as number, wanted }];
  });
  if (wrong.length === 0) return [];
  return [
    {
      name: 'permissions',
      says: "wrong permissions on Drover's files",
      changes: wrong.map(({ file, mode, wanted }) => `chmod ${octal(wanted)} ${file} (now ${octal(mode)})`),
      run: () => {
        for (const { file, wanted } of wrong) chmodSync(file, wanted);
      },
    },
  ];
};

const privateFiles = (paths: Paths): string[] => [
  paths.home,
  // It can hold tokens of channels.
  paths.config,
  paths.token,
  paths.tokens,
  paths.mcp,
  paths.pages,
  paths.pushKeys,
  ...[paths.db, paths.search, paths.usage].flatMap(file => [file, `${file}-wal`, `${file}-shm`]),
];

/** Everything directly in the home: files inside its folders are protected by these. A link leads to what is not Drover's. */
const ownFiles = (home: string): string[] => {
  try {
    return readdirSync(home, { withFileTypes: true })
      .filter(entry => entry.isFile() || entry.isDirectory())
      .map(({ name }) => join(home, name));
  } catch {
    // It does not exist, or cannot be entered: that is repaired first.
    return [];
  }
};

const isFolder = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;

const modeOf = (file: string): number | undefined => {
  try {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode;
    return mode === undefined ? undefined : mode & 0o777;
  } catch {
    // The folder around it cannot be entered: that is repaired first.
    return undefined;
  }
};

const wantedMode = (mode: number, isOfFolder: boolean): number =>
  (mode & 0o700) | (isOfFolder ? 0o700 : 0o600);

const octal = (mode: number): string => mode.toString(8).padStart(4, '0');
