/** What tmux shows, as tmux formats: no shell command and no polling. tmux redraws when an option is set. */
import { limits } from '../../limits.ts';

const status = '#{@meta.claude.status}';

const icon = `#{?#{==:${status},running},[▶],#{?#{==:${status},stopped},[⏸],#{?@meta.claude.status,[?],[■]}}}`;

/** Pane border: the first 8 characters of the session's id and its state; nothing if there was never a session. */
const pane = `#{?#{||:#{@meta.claude.session_id},${status}}, #{=8:@meta.claude.session_id} ${icon}#{?@drover_state, #{@drover_state},},}`;

/** Window status: a mark when any of its panes has stopped. */
const window = `#{?#{m:*stopped*,#{P:${status}}}, (⏸),}`;

/** True when no daemon is running: it never set its pid, or the liveness probe has marked it as down. */
export const isDown = '#{||:#{==:#{@drover_daemon},},#{==:#{@drover_daemon},down}}';

/** How many sessions wait here, and the next project; shorter beside those of other hosts, for which there must be room. */
const here = '#{?@drover_count,#{@drover_count} #{?@drover_fleet,#{=14:@drover_head},#{@drover_head}} ,}';

/** How many sessions wait on other hosts. */
const elsewhere = '#{?@drover_fleet,+#{@drover_fleet} elsewhere ,}';

const isWaiting = '#{||:#{@drover_count},#{@drover_fleet}}';

/** Status line: daemon down, nothing waiting, or what waits. */
const segment = `#{?${isDown},#[fg=red#,bold] ✗ drover down ,#{?${isWaiting},#[fg=yellow#,bold] ⏸ ${here}${elsewhere},#[fg=green] ✓ }}#[default]`;

const slots = Array.from({ length: limits.tmux.listed }, (_, n) => n + 1);

/** The first pane that no other client has claimed, else the first. */
const firstFree = slots.reduceRight(
  (rest, n) =>
    `#{?#{&&:#{@drover_${n}},#{||:#{==:#{@drover_${n}_by},},#{==:#{@drover_${n}_by},#{client_name}}}},#{@drover_${n}},${rest}}`,
  '#{@drover_1}',
);

/** Target of the key: from a listed pane the next one, wrapping around; from anywhere else the head. */
const nextTarget = slots.reduceRight((rest, n) => {
  const following =
    n === slots.length ? '#{@drover_1}' : `#{?@drover_${n + 1},#{@drover_${n + 1}},#{@drover_1}}`;
  return `#{?#{&&:#{@drover_${n}},#{==:#{pane_id},#{@drover_${n}}}},${following},${rest}}`;
}, firstFree);

/** Formats that our tmux.conf stores in options of these names, so that the user's formats need only a short reference. */
export const formats = {
  '@drover_pane': pane,
  '@drover_window': window,
  '@drover_segment': segment,
  '@drover_after': nextTarget,
} as const;

/** Return the reference that is added to a user's format. */
export const formatReference = (name: keyof typeof formats): string => `#{E:${name}}`;
