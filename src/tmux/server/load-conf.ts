/** Load our tmux.conf into a running server, and remove every trace of it again. */
import { isWidened } from '../keys/conf.ts';
import { formatReference, formats } from '../view/format.ts';
import { type Action, actions, isOurs, type Keys } from '../keys/keys.ts';
import { tmuxQuote } from './quote.ts';
import { tmux } from './run.ts';

/** List the keys of the prefix table that Drover did not bind, with their commands. */
export const listBoundKeys = async (socket: string): Promise<Map<string, string>> =>
  new Map((await bindings(socket)).filter(([, command]) => !isOurs(command)));

/** List the keys of the prefix table that a tmux.conf binds. Files that it sources are not read. */
export const keysBoundIn = (conf: string): Map<string, string> =>
  new Map(
    conf.split('\n').flatMap(line => {
      const [command, ...args] = line.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
      if (command !== 'bind' && command !== 'bind-key') return [];
      let table = 'prefix';
      for (let flag = args[0]; flag?.startsWith('-') && flag.length > 1; flag = args[0]) {
        args.shift();
        if (flag === '-T') table = args.shift() ?? '';
        else if (flag === '-N') args.shift();
        else if (flag.includes('n')) table = 'root';
      }
      const [key = '', ...rest] = args;
      return table === 'prefix' && key && !isOurs(line)
        ? [[key.replaceAll(/^["'\\]|["']$/g, ''), rest.join(' ')] as const]
        : [];
    }),
  );

/** Split the wanted keys into free ones and ones that are already bound. */
export const freeKeys = (wanted: Keys, bound: Map<string, string>): { keys: Keys; taken: Taken[] } => {
  const taken = actions.flatMap(action => {
    const key = wanted[action];
    const command = key === null ? undefined : bound.get(key);
    return key !== null && command !== undefined ? [{ action, key, command }] : [];
  });
  const takenActions = new Set(taken.map(({ action }) => action));
  return {
    keys: Object.fromEntries(
      actions.map(action => [action, takenActions.has(action) ? null : wanted[action]]),
    ) as Keys,
    taken,
  };
};

export interface Taken {
  action: Action;
  key: string;
  command: string;
}

/** Load the file and return tmux's error, if any; null when no server answers on the socket. */
export const loadConf = async (
  socket: string,
  conf: string,
): Promise<{ version: string; error: string | null } | null> => {
  const { ok, stdout } = await tmux(socket, ['display-message', '-p', '#{version}']);
  if (!ok) return null;
  // Remove our old bindings first: the new file may not bind the same keys.
  await unbind(socket);
  const { error } = await tmux(socket, ['source-file', conf]);
  return { version: stdout.trim(), error };
};

/** Remove everything of ours from a server; false when none answers on the socket. */
export const unloadConf = async (socket: string): Promise<boolean> => {
  const { ok, stdout } = await tmux(socket, ['show-options', '-s']);
  if (!ok) return false;
  await unbind(socket);
  const names = stdout.split('\n').flatMap(line => /^@drover_\S+/.exec(line)?.[0] ?? []);
  const lines = [
    ...(await Promise.all(formatOptions.map(option => stripFormatCommand(socket, option)))).flat(),
    // Options that the user has changed since are left alone.
    when(
      '#{&&:#{==:#{@drover_border},off},#{==:#{pane-border-status},top}}',
      'set-option -gw pane-border-status off',
    ),
    when(isWidened, `set-option -gF status-right-length ${tmuxQuote('#{@drover_right_length}')}`),
    ...names.map(name => `set-option -squ ${name}`),
  ];
  await tmux(socket, ['source-file', '-q', '-'], { input: `${lines.join('\n')}\n` });
  return true;
};

const when = (condition: string, command: string): string =>
  `if-shell -F ${tmuxQuote(condition)} { ${command} }`;

/** Remove the options that the daemon has set from every pane. */
export const clearPaneOptions = async (socket: string): Promise<void> => {
  const { stdout } = await tmux(socket, ['list-panes', '-a', '-F', '#{pane_id}']);
  const lines = [...new Set(stdout.split('\n').filter(Boolean))].flatMap(pane =>
    paneOptions.map(name => `set-option -pqu -t ${pane} ${name}`),
  );
  await tmux(socket, ['source-file', '-q', '-'], { input: `${lines.join('\n')}\n` });
};

const paneOptions = [
  ...[
    'session_id',
    'session_id_set_on',
    'session_dir',
    'status',
    'reason',
    'latest_hook_event',
    'latest_hook_time',
  ].map(name => `@meta.claude.${name}`),
  '@drover_label',
  '@drover_state',
];

const unbind = async (socket: string): Promise<void> => {
  for (const [key, command] of await bindings(socket))
    if (isOurs(command)) await tmux(socket, ['unbind-key', '-T', 'prefix', key]);
};

const bindings = async (socket: string): Promise<[key: string, command: string][]> => {
  const { stdout } = await tmux(socket, ['list-keys', '-T', 'prefix']);
  return [...stdout.matchAll(/^bind-key\s+(?:-r\s+)?-T prefix\s+\\?(\S+)\s+(.*)$/gm)].map(
    ([, key = '', command = '']) => [key, command],
  );
};

const formatOptions = [
  'status-right',
  'pane-border-format',
  'window-status-format',
  'window-status-current-format',
];

/** Return the command that removes our references from a format of the user, if there are any. */
const stripFormatCommand = async (socket: string, option: string): Promise<string[]> => {
  const { ok, stdout } = await tmux(socket, ['show-options', '-gv', option]);
  const now = stdout.replace(/\n$/, '');
  const references = Object.keys(formats).map(name => formatReference(name as keyof typeof formats));
  const cleaned = references.reduce((text, reference) => text.replaceAll(reference, ''), now);
  return ok && cleaned !== now ? [`set-option -g ${option} ${tmuxQuote(cleaned)}`] : [];
};
