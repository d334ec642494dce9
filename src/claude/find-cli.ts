/** Finds every Claude CLI on this machine, with its version. All of them read the same settings file. */
import { spawn } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { claudeDir, type Env, userHome } from '../paths.ts';
import { isVersion } from '../contract/cli-version.ts';

export interface Cli {
  /** Where it was found first. */
  path: string;
  /** The file behind all links. Two paths to one file are one CLI. */
  real: string;
  /** Null when it is not known. */
  version: string | null;
}

export interface Search {
  env: Env;
  /** `claude` of config.json. */
  configured?: string | undefined;
  /** The running node: npm installs global commands next to it. */
  node?: string;
  /** How long a CLI may take to print its version, ms. */
  limit?: number;
}

/** Searches every known place. Versions are read in parallel. */
export const findClis = async ({
  env,
  configured,
  node = process.execPath,
  limit = 5_000,
}: Search): Promise<Cli[]> => {
  const found = new Map<string, string>();
  for (const path of places(env, configured, node)) {
    const real = executable(path);
    if (real && !found.has(real)) found.set(real, path);
  }
  return Promise.all(
    [...found].map(async ([real, path]) => ({
      path,
      real,
      version: versionByPath(real) ?? (await askVersion(path, env, limit)),
    })),
  );
};

/** The configured CLI, or the one that a shell would start. Starts nothing: the version is known only from its path. */
export const locateCli = (env: Env, configured?: string): Cli | null => {
  for (const path of places(env, configured, process.execPath)) {
    const real = executable(path);
    if (real) return { path, real, version: versionByPath(real) };
  }
  return null;
};

const places = (env: Env, configured: string | undefined, node: string): string[] => {
  const home = userHome(env);
  const onPath = (env.PATH ?? '').split(delimiter).filter(isAbsolute);
  const versions = join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'claude', 'versions');
  return [
    ...(configured ? [resolve(home, configured.replace(/^~(?=\/)/, home))] : []),
    ...onPath.map(folder => join(folder, 'claude')),
    join(home, '.local', 'bin', 'claude'),
    join(home, '.claude', 'local', 'claude'),
    join(claudeDir(env), 'local', 'claude'),
    ...namesIn(versions)
      .filter(isVersion)
      .map(name => join(versions, name)),
    join(dirname(node), 'claude'),
  ];
};

/** The version from the path: that of the npm package around it, or the file name of the native installer. */
const versionByPath = (real: string): string | null => {
  if (basename(dirname(real)) === 'versions' && isVersion(basename(real))) return basename(real);
  const inPackage = /^(.*\/node_modules\/@anthropic-ai\/claude-code[^/]*)\//.exec(real)?.[1];
  return inPackage ? packageVersion(join(inPackage, 'package.json')) : null;
};

const packageVersion = (file: string): string | null => {
  try {
    const { version } = Object(JSON.parse(readFileSync(file, 'utf8')));
    return typeof version === 'string' && isVersion(version) ? version : null;
  } catch {
    return null;
  }
};

/** Runs `--version` with a minimal environment: nothing of the caller's reaches an unknown program. */
const askVersion = (path: string, env: Env, limit: number): Promise<string | null> =>
  new Promise(done => {
    const child = spawn(path, ['--version'], {
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        HOME: userHome(env),
        PATH: env.PATH ?? '/usr/bin:/bin',
        DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
    });
    let output = '';
    const finish = () => {
      clearTimeout(timer);
      child.stdout.destroy();
      done(/^\d+\.\d+\.\d+[^\s]*/m.exec(output)?.[0] ?? null);
    };
    const timer = setTimeout(() => {
      killGroup(child.pid);
      finish();
    }, limit);
    child.stdout.on('data', chunk => {
      output = (output + String(chunk)).slice(0, 1_000);
    });
    child.on('error', finish);
    child.on('close', finish);
  });

/** Kills the process group of a child that was started as its own group. */
const killGroup = (pid: number | undefined): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just exited.
  }
};

const executable = (path: string): string | null => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? realpathSync(path) : null;
  } catch {
    return null;
  }
};

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
