/**
 * Every hook event of Claude Code, with the first version that has it. A name in a settings file that a CLI does not know stops
 * its interactive start with a "Settings Warning" menu, so setup writes only names that all installed CLIs know. The versions
 * come from the event lists of the published packages, 2.0.0 to 2.1.325.
 */

import { compareVersions, isVersion } from '../contract/cli-version.ts';

type Watch =
  /** Safe: a hook that exits 0 and prints nothing changes nothing. */
  | 'always'
  /** Harmless but frequent: only when configured by name. */
  | 'opt-in'
  /** A hook replaces what the CLI does by itself. */
  | 'never';

export interface HookEvent {
  name: string;
  /** The first version that has it; null: older than 2.0. */
  since: string | null;
  watch: Watch;
}

const event = (name: string, since: string | null = null, watch: Watch = 'always'): HookEvent => ({
  name,
  since,
  watch,
});

export const hookEvents: readonly HookEvent[] = [
  event('SessionStart'),
  event('Setup', '2.1.10'),
  event('UserPromptSubmit'),
  event('UserPromptExpansion', '2.1.116'),
  event('PreToolUse'),
  event('PermissionRequest', '2.0.45'),
  event('PermissionDenied', '2.1.88'),
  event('PostToolUse'),
  event('PostToolUseFailure', '2.0.56'),
  event('PostToolBatch', '2.1.118'),
  event('Notification'),
  // Fires every few lines of streamed text.
  event('MessageDisplay', '2.1.152', 'opt-in'),
  event('SubagentStart', '2.0.44'),
  event('SubagentStop'),
  event('TaskCreated', '2.1.84'),
  event('TaskCompleted', '2.1.33'),
  event('Stop'),
  event('StopFailure', '2.1.78'),
  event('TeammateIdle', '2.1.33'),
  event('InstructionsLoaded', '2.1.69'),
  event('ConfigChange', '2.1.48'),
  event('CwdChanged', '2.1.83'),
  event('DirectoryAdded', '2.1.219'),
  event('FileChanged', '2.1.83'),
  // The hook has to create the worktree and print its path.
  event('WorktreeCreate', '2.1.50', 'never'),
  // A hook that succeeds counts as the removal, so the worktree of another WorktreeCreate hook would stay.
  event('WorktreeRemove', '2.1.50', 'never'),
  event('PreCompact'),
  event('PostCompact', '2.1.76'),
  event('PreModelSwitch', '2.1.251'),
  event('PostModelSwitch', '2.1.251'),
  event('Elicitation', '2.1.63'),
  event('ElicitationResult', '2.1.63'),
  event('SessionEnd'),
];

/** The version to assume when none could be read; the plugin uses its events too. */
export const baseVersion = '2.1.197';

/** The names that a CLI of this version accepts without a warning. An unreadable version counts as the base. */
export const eventsKnownTo = (version: string): string[] =>
  hookEvents.filter(({ since }) => hasEvent(version, since)).map(({ name }) => name);

/** The names to register when all these CLIs share one settings file. Without any CLI it is the base. */
export const eventsForAll = (versions: readonly string[], optIn: readonly string[] = []): string[] => {
  const all = versions.length > 0 ? versions : [baseVersion];
  return hookEvents
    .filter(({ name, watch }) => watch === 'always' || (watch === 'opt-in' && optIn.includes(name)))
    .filter(({ since }) => all.every(version => hasEvent(version, since)))
    .map(({ name }) => name);
};

const hasEvent = (version: string, since: string | null): boolean =>
  since === null || compareVersions(isVersion(version) ? version : baseVersion, since) >= 0;
