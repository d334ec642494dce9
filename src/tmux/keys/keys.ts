/** The keys. Each is pure tmux: no process is started, and the client that pressed it is the one that moves. */
import { isDown } from '../view/format.ts';
import { quoted } from '../server/quote.ts';

/** What a key can do. */
export const actions = ['next', 'skip', 'board', 'back'] as const;
export type Action = (typeof actions)[number];
export type Keys = Record<Action, string | null>;

/** As in Trail Boss. */
export const defaultKeys: Keys = { next: 'Tab', skip: 'S', board: 'g', back: 'B' };

/** A key's command, in braces, for a sourced file. */
export const commandOf = (action: Action, channel: string, board: string): string =>
  ({
    next: `{ ${unlessDown(`${aim} ; ${walk(channel)}`)} }`,
    skip: `{ ${unlessDown(`${aim} ; ${wish('skip', '#{pane_id}', channel)} ; ${onward}`)} }`,
    board: `{ ${popup(board)} }`,
    back: `{ ${back} }`,
  })[action];

/** A binding is ours if it speaks of our options, or is the popup of our board. */
export const isOurs = (binding: string): boolean => /@drover_|DROVER_CLIENT/.test(binding);

/** The board is told which client it is shown to: inside a popup nothing else tells. */
const popup = (board: string): string =>
  `run-shell -C ${quoted(
    `display-popup -E -w 90% -h 85% "env DROVER_CLIENT=#{client_name} ${quoted(board).slice(1)}`,
  )}`;

const say = (text: string): string => `display-message ${quoted(`Drover: ${text}`)}`;

const unlessDown = (command: string): string =>
  `if-shell -F ${quoted(isDown)} { ${say('the daemon is down, `drover up` starts it')} } { ${command} }`;

/** Where to, computed once: what follows may change what it is computed from. */
const aim = `set-option -sF @drover_to ${quoted('#{E:@drover_after}')}`;

/** Remembers where this client was. Behind the last that fits nothing is kept. */
const push = `run-shell -C ${quoted(
  `set-option -sF '@drover_back_#{client_pid}' '#{pane_id} ##{=400:@drover_back_#{client_pid}}'`,
)}`;

const go = `${push} ; run-shell -C ${quoted(`switch-client -t '#{@drover_to}'`)}`;

/** A word to the daemon: appended, so that two keys in a row are both heard. */
const wish = (verb: string, pane: string, channel: string): string =>
  `set-option -saF @drover_wish ${quoted(`${verb} ${pane} #{client_name};`)} ; wait-for -S ${channel}`;

const nobody = `if-shell -F ${quoted('#{@drover_elsewhere}')} { ${say(
  '#{@drover_elsewhere} wait on another server or outside tmux, `drover next` shows where',
)} } { ${say('nobody waits')} }`;

const walk = (channel: string): string =>
  `if-shell -F ${quoted('#{==:#{@drover_to},}')} { ${nobody} } { if-shell -F ${quoted(
    '#{==:#{@drover_to},#{pane_id}}',
  )} { ${say('only this one waits')} } { ${go} ; ${wish('claim', '#{@drover_to}', channel)} } }`;

/** After a skip: on to the one behind it, where this pane was the one that was skipped. */
const isListed =
  '#{m:* #{pane_id} *, #{@drover_1} #{@drover_2} #{@drover_3} #{@drover_4} #{@drover_5} #{@drover_6} #{@drover_7} #{@drover_8} #{@drover_9} }';

const onward = `if-shell -F ${quoted('#{==:#{@drover_to},}')} { ${say('nobody waits')} } { if-shell -F ${quoted(
  `#{&&:${isListed},#{!=:#{@drover_to},#{pane_id}}}`,
)} { ${go} } { ${say('skipped for 30 s')} } }`;

/**
 * Back, and off the stack. An entry is a pane, and behind `!` the window that was linked beside the board to show it,
 * which is unlinked again. A pane that is gone is passed by the next press.
 */
const back = [
  `run-shell -C ${quoted(`set-option -sF @drover_from '##{@drover_back_#{client_pid}}'`)}`,
  `if-shell -F ${quoted('#{m/r: ,#{@drover_from}}')} { ${[
    `run-shell -C ${quoted(`set-option -sF '@drover_back_#{client_pid}' '##{s/^[^ ]* //:@drover_from}'`)}`,
    `run-shell -C ${quoted(`switch-client -t '#{s/[ !].*//:@drover_from}'`)}`,
    `if-shell -F ${quoted('#{m/r:^[^ ]*!,#{@drover_from}}')} { run-shell -C ${quoted(
      `unlink-window -t '#{s/^[^!]*!([^ ]*) .*$/\\1/:@drover_from}'`,
    )} }`,
  ].join(' ; ')} } { ${say('there is no way back from here')} }`,
].join(' ; ');
