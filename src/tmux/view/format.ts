/** What tmux shows, as pure tmux formats: no shell command, nothing polled. tmux draws anew when an option is set. */
import { limits } from '../../limits.ts';

const status = '#{@meta.claude.status}';

const icon = `#{?#{==:${status},running},[▶],#{?#{==:${status},stopped},[⏸],#{?@meta.claude.status,[?],[■]}}}`;

/** Of a pane: the first 8 characters of the session's id and what it does; nothing where none ever ran. */
const pane = `#{?#{||:#{@meta.claude.session_id},${status}}, #{=8:@meta.claude.session_id} ${icon},}`;

/** Of a window: whether any of its panes has stopped. */
const window = `#{?#{m:*stopped*,#{P:${status}}}, (⏸),}`;

/** The mark of a daemon that is not there: taken away by nobody, or set by the livenessProbe. */
export const isDown = '#{||:#{==:#{@drover_daemon},},#{==:#{@drover_daemon},down}}';

/** Of the status line: down, nobody waits, or how many do and which project is next. */
const segment = `#{?${isDown},#[fg=red#,bold] ✗ drover down ,#{?@drover_count,#[fg=yellow#,bold] ⏸ #{@drover_count} #{@drover_head} ,#[fg=green] ✓ }}#[default]`;

const slots = Array.from({ length: limits.tmux.listed }, (_, n) => n + 1);

/** The first that nobody else is on the way to, else the first. */
const free = slots.reduceRight(
  (rest, n) =>
    `#{?#{&&:#{@drover_${n}},#{||:#{==:#{@drover_${n}_by},},#{==:#{@drover_${n}_by},#{client_name}}}},#{@drover_${n}},${rest}}`,
  '#{@drover_1}',
);

/** Where the key goes: in a listed pane to the one after it and round again, anywhere else to the head. */
const after = slots.reduceRight((rest, n) => {
  const following =
    n === slots.length ? '#{@drover_1}' : `#{?@drover_${n + 1},#{@drover_${n + 1}},#{@drover_1}}`;
  return `#{?#{&&:#{@drover_${n}},#{==:#{pane_id},#{@drover_${n}}}},${following},${rest}}`;
}, free);

/** Formats that our tmux.conf keeps in options of these names, so that a user's own formats hold one short word of ours. */
export const formats = {
  '@drover_pane': pane,
  '@drover_window': window,
  '@drover_segment': segment,
  '@drover_after': after,
} as const;

/** The word that stands in a user's format. */
export const word = (name: keyof typeof formats): string => `#{E:${name}}`;
