/** Wake settings. Each field falls back by itself: agent, then global, then default. */
import { type HookSettings, Trigger, type WakeSettings } from '../../contract/wake.ts';

export const defaultSettings: WakeSettings = {
  pane_capture_lines: 100,
  context_pressure_threshold: 50,
  hook_mode: 'async',
  wake_on_continuation: true,
  format: 'text',
  triggers: Object.fromEntries(Trigger.options.map(trigger => [trigger, true])) as Record<Trigger, boolean>,
  max_blocks: 1,
  blocks_per_hour: 10,
  max_hops: 3,
  answer_seconds: 540,
};

export const resolveSettings = (agent: HookSettings, global: HookSettings): WakeSettings => ({
  pane_capture_lines:
    agent.pane_capture_lines ?? global.pane_capture_lines ?? defaultSettings.pane_capture_lines,
  context_pressure_threshold:
    agent.context_pressure_threshold ??
    global.context_pressure_threshold ??
    defaultSettings.context_pressure_threshold,
  hook_mode: agent.hook_mode ?? global.hook_mode ?? defaultSettings.hook_mode,
  wake_on_continuation:
    agent.wake_on_continuation ?? global.wake_on_continuation ?? defaultSettings.wake_on_continuation,
  format: agent.format ?? global.format ?? defaultSettings.format,
  triggers: { ...defaultSettings.triggers, ...global.triggers, ...agent.triggers },
  max_blocks: firstSet(agent.max_blocks, global.max_blocks, defaultSettings.max_blocks),
  blocks_per_hour: firstSet(agent.blocks_per_hour, global.blocks_per_hour, defaultSettings.blocks_per_hour),
  max_hops: agent.max_hops ?? global.max_hops ?? defaultSettings.max_hops,
  answer_seconds: agent.answer_seconds ?? global.answer_seconds ?? defaultSettings.answer_seconds,
});

/** Null is a value: no limit. */
const firstSet = (...values: (number | null | undefined)[]): number | null =>
  values.find(value => value !== undefined) ?? null;
