/** The key bindings. Each is pure tmux: it starts no process, and moves the client that pressed it. */
import { isDown } from '../view/format.ts';
import { tmuxQuote } from '../server/quote.ts';

export const actions = ['next', 'skip', 'board', 'back', 'answer'] as const;
export type Action = (typeof actions)[number];
export type Keys = Record<Action, string | null>;

/** The first four as in Trail Boss. */
export const defaultKeys: Keys = { next: 'Tab', skip: 'S', board: 'g', back: 'B', answer: 'A' };

/** The shell commands that the popups run. */
export interface Programs {
  board: string;
  panel: string;
}

/** Return a key's command, in braces, for a sourced file. */
export const commandOf = (action: Action, channel: string, programs: Programs): string =>
  ({
    next: `{ ${unlessDown(`${computeTarget} ; ${goToNext(channel)}`)} }`,
    skip: `{ ${unlessDown(`${computeTarget} ; ${request('skip', '#{pane_id}', channel)} ; ${moveOn}`)} }`,
    board: `{ ${popup(programs.board, '-w 90% -h 85%')} }`,
    answer: `{ ${popup(programs.panel, panelSize)} }`,
    back: `{ ${popPane} }`,
  })[action];

/** Small, but not in a small terminal: the choices stand below the request. The popup expands it for its client. */
const panelSize = '-w #{?#{e|<:#{client_width},110},96%,70%} -h #{?#{e|<:#{client_height},34},90%,60%}';

/** Recognise our bindings: they use our options, or open a popup of ours. */
export const isOurs = (binding: string): boolean => /@drover_|DROVER_CLIENT/.test(binding);

/** Run a command in a popup. Its client is passed on, because a program in a popup cannot find it out. */
const popup = (command: string, size: string): string =>
  `run-shell -C ${tmuxQuote(
    `display-popup -E ${size} "env DROVER_CLIENT=#{client_name} ${tmuxQuote(command).slice(1)}`,
  )}`;

const say = (text: string): string => `display-message ${tmuxQuote(`Drover: ${text}`)}`;

const unlessDown = (command: string): string =>
  `if-shell -F ${tmuxQuote(isDown)} { ${say('the daemon is down; start it with `drover up`')} } { ${command} }`;

/** Compute the target once: the commands that follow may change what it depends on. */
const computeTarget = `set-option -sF @drover_to ${tmuxQuote('#{E:@drover_after}')}`;

/** Push the client's pane onto its back stack, which is cut to 400 characters. */
const pushPane = `run-shell -C ${tmuxQuote(
  `set-option -sF '@drover_back_#{client_pid}' '#{pane_id} ##{=400:@drover_back_#{client_pid}}'`,
)}`;

const go = `${pushPane} ; run-shell -C ${tmuxQuote(`switch-client -t '#{@drover_to}'`)}`;

/** Send a request to the daemon. It is appended, so that two keys in a row both count. */
const request = (verb: string, pane: string, channel: string): string =>
  `set-option -saF @drover_wish ${tmuxQuote(`${verb} ${pane} #{client_name};`)} ; wait-for -S ${channel}`;

const onOtherHosts = `if-shell -F ${tmuxQuote('#{@drover_fleet}')} { ${say(
  '#{@drover_fleet} waiting on other hosts; `drover next` goes there',
)} } { ${say('no session is waiting')} }`;

const nothingHere = `if-shell -F ${tmuxQuote('#{@drover_elsewhere}')} { ${say(
  '#{@drover_elsewhere} waiting on another server or outside tmux; `drover next` shows where',
)} } { ${onOtherHosts} }`;

const goToNext = (channel: string): string =>
  `if-shell -F ${tmuxQuote('#{==:#{@drover_to},}')} { ${nothingHere} } { if-shell -F ${tmuxQuote(
    '#{==:#{@drover_to},#{pane_id}}',
  )} { ${say('only this session is waiting')} } { ${go} ; ${request('claim', '#{@drover_to}', channel)} } }`;

/** True in a pane that is listed in the queue options. */
const isListed =
  '#{m:* #{pane_id} *, #{@drover_1} #{@drover_2} #{@drover_3} #{@drover_4} #{@drover_5} #{@drover_6} #{@drover_7} #{@drover_8} #{@drover_9} }';

/** After a skip: move on to the next one, if this pane was the skipped one. */
const moveOn = `if-shell -F ${tmuxQuote('#{==:#{@drover_to},}')} { ${say('no session is waiting')} } { if-shell -F ${tmuxQuote(
  `#{&&:${isListed},#{!=:#{@drover_to},#{pane_id}}}`,
)} { ${go} } { ${say('skipped for 30 s')} } }`;

/**
 * Go back and pop the entry. An entry is a pane, and after `!` the window that was linked to show it, which is unlinked again.
 * If the pane is gone, the next press goes back one more.
 */
const popPane = [
  `run-shell -C ${tmuxQuote(`set-option -sF @drover_from '##{@drover_back_#{client_pid}}'`)}`,
  `if-shell -F ${tmuxQuote('#{m/r: ,#{@drover_from}}')} { ${[
    `run-shell -C ${tmuxQuote(`set-option -sF '@drover_back_#{client_pid}' '##{s/^[^ ]* //:@drover_from}'`)}`,
    `run-shell -C ${tmuxQuote(`switch-client -t '#{s/[ !].*//:@drover_from}'`)}`,
    `if-shell -F ${tmuxQuote('#{m/r:^[^ ]*!,#{@drover_from}}')} { run-shell -C ${tmuxQuote(
      `unlink-window -t '#{s/^[^!]*!([^ ]*) .*$/\\1/:@drover_from}'`,
    )} }`,
  ].join(' ; ')} } { ${say('nothing to go back to')} }`,
].join(' ; ');
