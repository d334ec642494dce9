/** Write options as lines for `source-file -`. Each pane has a condition, so that a missing or reused pane is skipped. */
import type { Options, Value } from './options.ts';
import { tmuxQuote } from '../server/quote.ts';

export interface Target {
  /** The server that the pane was seen on. */
  serverPid: number;
  pane: string;
  /** One of these must be the pane's process: the session's process or one of its ancestors. */
  pids: number[];
}

/** Write the line that sets a pane's options. It does nothing on a restarted server, a reused id or a respawned pane. */
export const paneLine = ({ serverPid, pane, pids }: Target, options: Options): string => {
  const condition = `#{&&:#{==:#{pid},${serverPid}},#{m/r:^(${pids.join('|')})$,#{pane_pid}}}`;
  const sets = Object.entries(options).map(([name, value]) => setter(`-p -t ${pane}`, name, value));
  return `if-shell -F -t ${pane} ${tmuxQuote(condition)} { ${sets.join(' ; ')} }`;
};

/** Write the line that sets server options, if our tmux.conf is loaded there. */
export const serverLine = (options: Options): string =>
  `if-shell -F ${tmuxQuote('#{@drover_conf}')} { ${Object.entries(options)
    .map(([name, value]) => setter('-s', name, value))
    .join(' ; ')} }`;

const setter = (where: string, name: string, value: Value): string => {
  if (value === null) return `set-option -qu ${where} ${name}`;
  if (typeof value === 'string') return `set-option -q ${where} ${name} ${tmuxQuote(value)}`;
  return `set-option -qo ${where} ${name} ${tmuxQuote(value.first)}`;
};
