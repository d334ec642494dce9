/**
 * Runs git in a repository that may be hostile. Its config can name programs: fsmonitor, filters, textconv, external diffs,
 * hooks, credential helpers. So git never reads that config: it gets its own folder, with a config that we write and
 * links to the objects and refs of the repository and a copy of its index, which git may refresh. Attributes then name drivers
 * that do not exist, and nothing runs but git itself.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type GitFolder, readStart } from '../../files/git-folder.ts';
import { limits } from '../../limits.ts';
import { copyIndex } from './copy-index.ts';

/** Runs one git command and returns its output. Throws when git fails, takes too long or prints too much. */
export type RunGit = (...args: string[]) => Promise<string>;

/** The beginning of an output that was too long; null for any other failure. */
export const partOf = (error: unknown): string | null => {
  const { code, output } = error as { code?: unknown; output?: string };
  return code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER' ? (output ?? null) : null;
};

/** Calls `work` with a git that reads this checkout. */
export const withSafeGit = async <T>(folder: GitFolder, work: (git: RunGit) => Promise<T>): Promise<T> => {
  await acquireSlot();
  let own: string | null = null;
  try {
    own = await mkdtemp(join(tmpdir(), 'drover-git-'));
    await linkRepository(folder, own);
    const env = { GIT_DIR: own, GIT_WORK_TREE: folder.root };
    return await work((...args) => runGit([...options, '-C', folder.root, ...args], env));
  } finally {
    running--;
    waiting.shift()?.();
    if (own) await rm(own, { recursive: true, force: true });
  }
};

/** The folder that a linked worktree shares with its repository; else git's own folder. */
export const findCommonDir = async ({ dir }: Pick<GitFolder, 'dir'>): Promise<string> => {
  const common = (await readStart(join(dir, 'commondir')))?.trim();
  return common ? resolve(dir, common) : dir;
};

let running = 0;
const waiting: (() => void)[] = [];

/** Waits while as many runs as allowed are in progress. */
const acquireSlot = async (): Promise<void> => {
  while (running >= limits.changes.gitRuns) await new Promise<void>(resolve => void waiting.push(resolve));
  running++;
};

/** A second line of defence: these settings name programs and are switched off in any case. */
const options = [
  '--no-optional-locks',
  '--no-pager',
  '--literal-pathspecs',
  ...[
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'core.untrackedCache=false',
    'core.attributesFile=/dev/null',
    'submodule.recurse=false',
    'protocol.allow=never',
    'gc.auto=0',
    'maintenance.auto=false',
  ].flatMap(setting => ['-c', setting]),
];

const linkRepository = async (folder: GitFolder, own: string): Promise<void> => {
  const common = await findCommonDir(folder);
  const head = await readStart(join(folder.dir, 'HEAD'));
  // With reftables HEAD and refs are elsewhere.
  if (head === null || head.includes('refs/heads/.invalid'))
    throw new Error('This repository cannot be read.');
  await writeFile(join(own, 'HEAD'), head);
  await writeFile(join(own, 'config'), await safeConfig(common));
  await mkdir(join(own, 'info'));
  const link = (from: string, name: string) => symlink(join(from, name), join(own, name));
  await link(common, 'objects');
  await link(common, 'refs');
  await link(common, 'packed-refs');
  await link(common, 'shallow');
  await link(common, 'info/exclude');
  const names = await readdir(folder.dir);
  for (const name of names.filter(one => one === 'index' || one.startsWith('sharedindex.')))
    await copyIndex(join(folder.dir, name), join(own, name));
};

/** Settings about the form of the repository, which name no program and no place. */
const harmless = new Set([
  'core.repositoryformatversion',
  'core.filemode',
  'core.ignorecase',
  'core.precomposeunicode',
  'core.symlinks',
  'core.autocrlf',
  'core.eol',
  'core.sparsecheckout',
  'core.sparsecheckoutcone',
  'extensions.objectformat',
]);

const safeConfig = async (common: string): Promise<string> => {
  const listed = await runGit(
    ['config', '--file', join(common, 'config'), '--no-includes', '--null', '--list'],
    {},
  ).catch(() => '');
  const settings = listed.split('\0').flatMap(entry => {
    const [name = '', value = 'true'] = entry.split('\n');
    return harmless.has(name) && /^[\w.-]{1,40}$/.test(value) ? [{ name, value }] : [];
  });
  return settings
    .map(({ name, value }) => {
      const [section, key] = name.split('.');
      return `[${section}]\n\t${key} = ${value}\n`;
    })
    .join('');
};

const runGit = (args: string[], env: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((done, fail) => {
    execFile(
      'git',
      args,
      {
        cwd: '/',
        // Nothing of the daemon's own environment: GIT_* variables name programs and places too.
        env: { ...environment(), ...env },
        timeout: limits.changes.gitTimeout,
        killSignal: 'SIGKILL',
        maxBuffer: limits.changes.gitBytes,
        encoding: 'utf8',
      },
      (error, output) => (error ? fail(Object.assign(error, { output })) : done(output)),
    );
  });

const environment = (): NodeJS.ProcessEnv => ({
  // A relative entry would be looked up in the foreign folder.
  PATH: (process.env.PATH ?? '/usr/bin:/bin')
    .split(':')
    .filter(entry => entry.startsWith('/'))
    .join(':'),
  HOME: '/nonexistent',
  XDG_CONFIG_HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
});
