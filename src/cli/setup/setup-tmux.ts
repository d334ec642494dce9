/** `drover setup --tmux`: adds status and keys to tmux.conf and to running servers, or removes them. */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DroverError } from '../../contract/error.ts';
import { readConfig } from '../../daemon/config.ts';
import { prepareHome } from '../../files/prepare-home.ts';
import { programFile } from '../../program-file.ts';
import { quote } from '../../quote.ts';
import { backUp } from '../../hook/install/backup.ts';
import { unifiedDiff } from '../../hook/install/diff.ts';
import { editFile } from '../../hook/install/edit-file.ts';
import { changeRecord, readRecord } from '../../hook/install/record.ts';
import { type Env, type Paths, userHome } from '../../paths.ts';
import { nodePath } from '../../platform/node-path.ts';
import { channelOf, confText, withoutSourceLine, withSourceLine } from '../../tmux/keys/conf.ts';
import { actions, type Keys } from '../../tmux/keys/keys.ts';
import {
  listBoundKeys,
  clearPaneOptions,
  freeKeys,
  keysBoundIn,
  loadConf,
  type Taken,
  unloadConf,
} from '../../tmux/server/load-conf.ts';
import { listOwnSockets } from '../../tmux/server/panes.ts';
import { isNewEnough, tmuxVersion } from '../../tmux/server/version.ts';
import { type Call, flag, list } from '../verb.ts';

export const setupTmux = (call: Call): Promise<number> =>
  flag(call, 'remove') ? remove(call) : install(call);

/** Returns what `setup --tmux` would change, as a diff; empty when everything is in place. */
export const tmuxDiff = async (call: Call): Promise<string> => {
  const { conf, own, text } = await plan(call);
  return diffOf(call, conf, own, text);
};

const plan = async (call: Call) => {
  const { env, paths } = call;
  await checkVersion(env);
  const { tmux } = readConfig(paths.config);
  const sockets = socketsOf(call);
  const file = userConf(env);
  const text = read(file);
  const bound = new Map([
    ...keysBoundIn(text ?? ''),
    ...(await Promise.all(sockets.map(listBoundKeys))).flatMap(keys => [...keys]),
  ]);
  const { keys, taken } = freeKeys(tmux.keys, bound);
  const conf = confText({
    keys,
    border: tmux.border,
    channel: channelOf(paths.home),
    programs: { board: program(env, paths), panel: `${program(env, paths)} panel` },
  });
  return { conf, own: flag(call, 'load-only') ? null : file, text, sockets, keys, taken };
};

const install = async (call: Call): Promise<number> => {
  const { paths } = call;
  const { conf, own, text, sockets, keys, taken } = await plan(call);
  if (flag(call, 'dry-run')) return preview(call, conf, own, text);

  prepareHome(paths);
  writeConf(paths.tmuxConf, conf);
  const changed = own !== null && addLine(own, paths);
  const servers = await loadAll(sockets, paths.tmuxConf);
  report(call, { conf: paths.tmuxConf, file: own, changed, servers, keys, taken });
  return servers.some(({ error }) => error) ? 7 : 0;
};

const remove = async (call: Call): Promise<number> => {
  const { env, paths } = call;
  if (flag(call, 'dry-run')) {
    const own = readRecord(paths).tmuxConf?.file ?? userConf(env);
    const text = read(own);
    call.out(unifiedDiff(own, text, text === null ? null : withoutSourceLine(text)).replace(/\n$/, ''));
    return 0;
  }
  const { files, servers } = await removeTmux(call);
  if (flag(call, 'json')) call.out(JSON.stringify({ files, servers }));
  else {
    for (const file of files) call.out(`Removed Drover's line from ${file}.`);
    if (files.length === 0) call.out('No Drover line in your tmux.conf.');
    for (const socket of servers) call.out(`Removed from the tmux server at ${socket}.`);
  }
  return 0;
};

/** Removes the line, the file and the settings of running servers; with `panes` also the options of panes. */
export const removeTmux = async (
  call: Call,
  { panes = false } = {},
): Promise<{ files: string[]; servers: string[] }> => {
  const { env, paths } = call;
  const record = readRecord(paths).tmuxConf;
  const candidates = [...new Set([...(record ? [record.file] : []), ...confFiles(env)])];
  // Files without our line are not opened for editing.
  const files = candidates.filter(hasLine).filter(file => {
    const edited = editFile(
      file,
      before => {
        const after = before === null ? null : withoutSourceLine(before);
        return after === '' && before !== '' && record?.file === file && record.made ? null : after;
      },
      { keep: (target, before) => void backUp(paths, target, before) },
    );
    return edited.after !== edited.before;
  });
  changeRecord(paths, kept => {
    delete kept.tmuxConf;
  });
  rmSync(paths.tmuxConf, { force: true });
  const servers: string[] = [];
  for (const socket of socketsOf(call)) {
    if (await unloadConf(socket)) servers.push(socket);
    if (panes) await clearPaneOptions(socket);
  }
  return { files, servers };
};

const hasLine = (file: string): boolean => (read(file) ?? '').includes(' # drover');

const checkVersion = async (env: Env): Promise<void> => {
  const version = await tmuxVersion(env);
  if (version === null)
    throw new DroverError('unsupported', 'tmux is not installed.', 'Install tmux 3.2 or newer.');
  if (!isNewEnough(version))
    throw new DroverError('unsupported', `${version} is too old.`, 'Install tmux 3.2 or newer.');
};

/** The servers that were named, else all of this user's. */
const socketsOf = (call: Call): string[] => {
  const named = list(call, 'socket');
  const around = (call.env.TMUX ?? '').split(',').slice(0, -2).join(',');
  return named.length > 0 ? named : [...new Set([...listOwnSockets(call.env), ...(around ? [around] : [])])];
};

/** Where tmux looks for a user's configuration. */
const confFiles = (env: Env): string[] => {
  const home = userHome(env);
  return [join(home, '.tmux.conf'), join(env.XDG_CONFIG_HOME || join(home, '.config'), 'tmux', 'tmux.conf')];
};

/** The user's own tmux.conf; where there is none, the first that tmux would read. */
const userConf = (env: Env): string => {
  const files = confFiles(env);
  return files.find(file => statSync(file, { throwIfNoEntry: false })) ?? (files[0] as string);
};

const addLine = (file: string, paths: Paths): boolean => {
  const { before, after } = editFile(file, text => withSourceLine(text ?? '', paths.tmuxConf), {
    keep: (target, text) => void backUp(paths, target, text),
  });
  changeRecord(paths, record => {
    record.tmuxConf = { file, made: before === null || record.tmuxConf?.made === true };
  });
  return before !== after;
};

const loadAll = async (sockets: string[], conf: string): Promise<Server[]> => {
  const servers: Server[] = [];
  for (const socket of sockets) {
    const loaded = await loadConf(socket, conf);
    if (loaded) servers.push({ socket, ...loaded });
  }
  return servers;
};

interface Server {
  socket: string;
  version: string;
  error: string | null;
}

interface Report {
  conf: string;
  /** The user's tmux.conf; null if it was not changed. */
  file: string | null;
  changed: boolean;
  servers: Server[];
  keys: Keys;
  taken: Taken[];
}

const report = (call: Call, result: Report): void => {
  if (flag(call, 'json')) {
    call.out(JSON.stringify(result));
    return;
  }
  if (result.file)
    call.out(
      result.changed
        ? `Added one line to ${result.file}; it sources ${result.conf}.`
        : `${result.file} already sources ${result.conf}.`,
    );
  for (const { socket, error } of result.servers)
    call.out(
      error
        ? `The tmux server at ${socket} rejected it: ${error}`
        : `Loaded into the tmux server at ${socket}.`,
    );
  if (result.servers.length === 0) call.out('No tmux server is running; the next one will load it.');
  const bound = actions.flatMap(action => (result.keys[action] ? [`${result.keys[action]} ${action}`] : []));
  if (bound.length > 0) call.out(`Keys after the prefix: ${bound.join(', ')}.`);
  for (const { action, key, command } of result.taken)
    call.out(
      `Note: prefix ${key} is already bound (${command.slice(0, 60)}), so \`${action}\` has no key. Choose one with tmux.keys.${action} in ${call.paths.config}.`,
    );
};

const preview = (call: Call, conf: string, own: string | null, text: string | null): number => {
  const diff = diffOf(call, conf, own, text);
  if (flag(call, 'json')) call.out(JSON.stringify({ diff }));
  else {
    if (diff) call.out(diff.replace(/\n$/, ''));
    call.err(diff ? 'Nothing was written (--dry-run).' : 'Nothing would change.');
  }
  return 0;
};

const diffOf = ({ paths }: Call, conf: string, own: string | null, text: string | null): string =>
  unifiedDiff(paths.tmuxConf, read(paths.tmuxConf), conf) +
  (own ? unifiedDiff(own, text, withSourceLine(text ?? '', paths.tmuxConf)) : '');

/** Builds the shell command of this program. The popup runs it with `env`, because the user's shell may be any. */
const program = (env: Env, paths: Paths): string =>
  [
    ...(env.DROVER_HOME ? [`DROVER_HOME=${quote(paths.home)}`] : []),
    quote(nodePath()),
    quote(programFile()),
  ].join(' ');

const writeConf = (file: string, text: string): void => {
  if (read(file) === text) return;
  const temp = `${file}.${process.pid}`;
  writeFileSync(temp, text, { mode: 0o600 });
  renameSync(temp, file);
};

const read = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};
