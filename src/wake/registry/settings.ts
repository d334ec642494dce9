/** What is asked of a wake, field by field: the agent's own word, else the global one, else the built-in. */
import { type HookSettings, Trigger, type WakeSettings } from '../../contract/wake.ts';

export const builtIn: WakeSettings = {
  pane_capture_lines: 100,
  context_pressure_threshold: 50,
  hook_mode: 'async',
  triggers: Object.fromEntries(Trigger.options.map(trigger => [trigger, true])) as Record<Trigger, boolean>,
  max_blocks: 1,
  blocks_per_hour: 10,
  max_hops: 3,
  answer_seconds: 540,
};

export const settingsOf = (agent: HookSettings, global: HookSettings): WakeSettings => ({
  pane_capture_lines: agent.pane_capture_lines ?? global.pane_capture_lines ?? builtIn.pane_capture_lines,
  context_pressure_threshold:
    agent.context_pressure_threshold ??
    global.context_pressure_threshold ??
    builtIn.context_pressure_threshold,
  hook_mode: agent.hook_mode ?? global.hook_mode ?? builtIn.hook_mode,
  triggers: { ...builtIn.triggers, ...global.triggers, ...agent.triggers },
  max_blocks: agent.max_blocks ?? global.max_blocks ?? builtIn.max_blocks,
  blocks_per_hour: agent.blocks_per_hour ?? global.blocks_per_hour ?? builtIn.blocks_per_hour,
  max_hops: agent.max_hops ?? global.max_hops ?? builtIn.max_hops,
  answer_seconds: agent.answer_seconds ?? global.answer_seconds ?? builtIn.answer_seconds,
});
