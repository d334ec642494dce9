/** Our tmux.conf into a running server, and out again without a trace. */
import { isRoomMade } from '../keys/conf.ts';
import { formats, word } from '../view/format.ts';
import { type Action, actions, isOurs, type Keys } from '../keys/keys.ts';
import { quoted } from './quote.ts';
import { tmux } from './run.ts';

/** The keys of the prefix table that someone else has bound, with what they do. */
export const boundKeys = async (socket: string): Promise<Map<string, string>> =>
  new Map((await bindings(socket)).filter(([, command]) => !isOurs(command)));

/** The keys of the prefix table that a tmux.conf binds itself. Files that it sources are not read. */
export const keysBoundIn = (conf: string): Map<string, string> =>
  new Map(
    conf.split('\n').flatMap(line => {
      const [command, ...words] = line.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
      if (command !== 'bind' && command !== 'bind-key') return [];
      let table = 'prefix';
      for (let flag = words[0]; flag?.startsWith('-') && flag.length > 1; flag = words[0]) {
        words.shift();
        if (flag === '-T') table = words.shift() ?? '';
        else if (flag === '-N') words.shift();
        else if (flag.includes('n')) table = 'root';
      }
      const [key = '', ...rest] = words;
      return table === 'prefix' && key && !isOurs(line)
        ? [[key.replaceAll(/^["'\\]|["']$/g, ''), rest.join(' ')] as const]
        : [];
    }),
  );

/** The keys that are free, and what stands in the way of the others. */
export const freeKeys = (wanted: Keys, bound: Map<string, string>): { keys: Keys; taken: Taken[] } => {
  const taken = actions.flatMap(action => {
    const key = wanted[action];
    const command = key === null ? undefined : bound.get(key);
    return key !== null && command !== undefined ? [{ action, key, command }] : [];
  });
  const lost = new Set(taken.map(({ action }) => action));
  return {
    keys: Object.fromEntries(
      actions.map(action => [action, lost.has(action) ? null : wanted[action]]),
    ) as Keys,
    taken,
  };
};

export interface Taken {
  action: Action;
  key: string;
  command: string;
}

/** Loads the file; null when no server answers there, else what tmux had to say against it. */
export const load = async (
  socket: string,
  conf: string,
): Promise<{ version: string; error: string | null } | null> => {
  const { ok, stdout } = await tmux(socket, ['display-message', '-p', '#{version}']);
  if (!ok) return null;
  // What an earlier file bound and this one does not is taken away first.
  await unbind(socket);
  const { error } = await tmux(socket, ['source-file', conf]);
  return { version: stdout.trim(), error };
};

/** Takes everything of ours out of a server; false when none answers there. */
export const unload = async (socket: string): Promise<boolean> => {
  const { ok, stdout } = await tmux(socket, ['show-options', '-s']);
  if (!ok) return false;
  await unbind(socket);
  const names = stdout.split('\n').flatMap(line => /^@drover_\S+/.exec(line)?.[0] ?? []);
  const lines = [
    ...(await Promise.all(formatted.map(option => stripped(socket, option)))).flat(),
    // What the user has changed since stays.
    only(
      '#{&&:#{==:#{@drover_border},off},#{==:#{pane-border-status},top}}',
      'set-option -gw pane-border-status off',
    ),
    only(isRoomMade, `set-option -gF status-right-length ${quoted('#{@drover_right_length}')}`),
    ...names.map(name => `set-option -squ ${name}`),
  ];
  await tmux(socket, ['source-file', '-q', '-'], { input: `${lines.join('\n')}\n` });
  return true;
};

const only = (condition: string, command: string): string =>
  `if-shell -F ${quoted(condition)} { ${command} }`;

/** Takes the options that the daemon wrote off every pane. */
export const clearPanes = async (socket: string): Promise<void> => {
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

const formatted = [
  'status-right',
  'pane-border-format',
  'window-status-format',
  'window-status-current-format',
];

/** The user's format without our words. */
const stripped = async (socket: string, option: string): Promise<string[]> => {
  const { ok, stdout } = await tmux(socket, ['show-options', '-gv', option]);
  const now = stdout.replace(/\n$/, '');
  const words = Object.keys(formats).map(name => word(name as keyof typeof formats));
  const bare = words.reduce((text, own) => text.replaceAll(own, ''), now);
  return ok && bare !== now ? [`set-option -g ${option} ${quoted(bare)}`] : [];
};
