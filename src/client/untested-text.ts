/** What is said about versions of Claude Code that are newer than the tested ones. */
import type { CliStatus } from '../contract/api.ts';
import { newestTested, untestedOf } from '../contract/cli-version.ts';
import type { Session } from '../contract/session.ts';

/** `Claude Code 2.1.340 is newer than 2.1.328, the newest tested version`. */
export const untestedText = (versions: string[]): string =>
  `Claude Code ${versions.join(', ')} is newer than ${newestTested}, the newest tested version`;

/** The untested versions of sessions that run. */
export const untestedVersions = (sessions: Iterable<Session>): string[] =>
  untestedOf([...sessions].filter(({ state }) => state !== 'ended').map(({ version }) => version));

/** For the head of the board, where there is little room. */
export const untestedLabel = (versions: string[]): string =>
  versions.length === 0 ? '' : `Claude Code ${versions.join(', ')} is untested`;

/** Says that answers by keys do not work on a version. */
export const unreadText = ({ version, kinds }: CliStatus['unread'][number]): string =>
  `answers by keys are off for ${version}: its ${kinds.join(' and ')} dialogs could not be read`;
