/** tmux.conf in DROVER_HOME, and the one tagged line that sources it from the user's own. Pure text. */
import { createHash } from 'node:crypto';
import { formats, word } from '../view/format.ts';
import { type Action, actions, commandOf, type Keys } from './keys.ts';
import { quoted } from '../server/quote.ts';

export interface Shown {
  keys: Keys;
  /** Whether the border of panes is switched on where it is off. */
  border: boolean;
  /** The shell command of the board. */
  board: string;
  channel: string;
}

/** The channel on which tmux wakes the daemon of this home. */
export const channelOf = (home: string): string =>
  `drover-${createHash('sha256').update(home).digest('hex').slice(0, 12)}`;

/** The whole file. Sourced ten times it is the same as once: what it adds to a format of the user's is added if missing. */
export const confText = ({ keys, border, board, channel }: Shown): string =>
  [
    '# Made by `drover setup --tmux`. It is sourced from your own tmux.conf; changes here are lost at the next setup.',
    '',
    '# What is shown: pure formats, kept in options. Your formats get one short word each.',
    ...Object.entries(formats).map(([name, format]) => `set-option -s ${name} ${quoted(format)}`),
    ...(border
      ? [
          unless(
            '#{!=:#{pane-border-status},off}',
            'set-option -s @drover_border off',
            'set-option -gw pane-border-status top',
          ),
        ]
      : []),
    added('pane-border-format', '@drover_pane'),
    added('window-status-format', '@drover_window'),
    added('window-status-current-format', '@drover_window'),
    unless(
      has('status-right', '@drover_segment'),
      `set-option -gF status-right ${quoted('##{E:@drover_segment}#{status-right}')}`,
    ),
    '# Room for it.',
    unless(
      isRoomMade,
      `set-option -sF @drover_right_length ${quoted('#{status-right-length}')}`,
      `set-option -gF status-right-length ${quoted(`#{e|+:#{status-right-length},${room}}`)}`,
    ),
    '',
    '# Keys; others by `tmux.keys` in config.json.',
    ...actions.map(action => binding(action, keys, channel, board)),
    '',
    '# Tells the daemon that this server shows the queue.',
    'set-option -s @drover_conf 1',
    `wait-for -S ${channel}`,
    '',
  ].join('\n');

const room = 30;

/** The status line is as long as we made it. */
export const isRoomMade = `#{&&:#{@drover_right_length},#{==:#{status-right-length},#{e|+:#{@drover_right_length},${room}}}}`;

const has = (option: string, name: keyof typeof formats): string => `#{m:*${name}*,#{${option}}}`;

const unless = (condition: string, ...commands: string[]): string =>
  `if-shell -F ${quoted(condition)} {} { ${commands.join(' ; ')} }`;

const added = (option: string, name: keyof typeof formats): string =>
  unless(has(option, name), `set-option -gwa ${option} ${quoted(word(name))}`);

const binding = (action: Action, keys: Keys, channel: string, board: string): string => {
  const key = keys[action];
  return key === null
    ? `# ${action}: no key`
    : `bind-key -N ${quoted(`Drover: ${action}`)} ${quoted(key)} ${commandOf(action, channel, board)}`;
};

/** The line in the user's own tmux.conf. */
export const sourceLine = (conf: string): string => `source-file -q ${quoted(conf)} # drover`;

const isSourceLine = (line: string): boolean => /^source-file -q "[^"]*" # drover$/.test(line);

/** The user's file with our line, and no other of ours, at its end. */
export const withSourceLine = (text: string, conf: string): string => {
  if (text.split('\n').filter(isSourceLine).join() === sourceLine(conf)) return text;
  const bare = withoutSourceLine(text);
  // A file without a last line break is given back without one.
  return bare === '' || bare.endsWith('\n') ? `${bare}${sourceLine(conf)}\n` : `${bare}\n${sourceLine(conf)}`;
};

/** The user's file as it was. */
export const withoutSourceLine = (text: string): string => {
  const lines = text.split('\n');
  const kept = lines.filter(line => !isSourceLine(line));
  return kept.length === lines.length ? text : kept.join('\n');
};
