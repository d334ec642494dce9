/** Options as lines for `source-file -`: each pane behind a guard, so that one that is gone or another's is passed over. */
import type { Options, Value } from './options.ts';
import { quoted } from '../server/quote.ts';

export interface Target {
  /** The server that the pane was seen on. */
  serverPid: number;
  pane: string;
  /** One of these must be the pane's own process: it, or who stands above the session's process. */
  pids: number[];
}

/** The line that sets a pane's options. A restarted server, a reused id and a respawned pane are never written to. */
export const paneLine = ({ serverPid, pane, pids }: Target, options: Options): string => {
  const guard = `#{&&:#{==:#{pid},${serverPid}},#{m/r:^(${pids.join('|')})$,#{pane_pid}}}`;
  const sets = Object.entries(options).map(([name, value]) => setter(`-p -t ${pane}`, name, value));
  return `if-shell -F -t ${pane} ${quoted(guard)} { ${sets.join(' ; ')} }`;
};

/** The line that sets server options, where our tmux.conf is loaded. */
export const serverLine = (options: Options): string =>
  `if-shell -F ${quoted('#{@drover_conf}')} { ${Object.entries(options)
    .map(([name, value]) => setter('-s', name, value))
    .join(' ; ')} }`;

const setter = (where: string, name: string, value: Value): string => {
  if (value === null) return `set-option -qu ${where} ${name}`;
  if (typeof value === 'string') return `set-option -q ${where} ${name} ${quoted(value)}`;
  return `set-option -qo ${where} ${name} ${quoted(value.first)}`;
};
