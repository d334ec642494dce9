/** Folders with programs that PATH may lack: launchd, and apps that were opened from the desktop, have a short one. */
import { delimiter } from 'node:path';
import { platformName } from './system.ts';

/** Homebrew on Apple silicon and on Intel, MacPorts. */
export const bsdFolders: readonly string[] = ['/opt/homebrew/bin', '/usr/local/bin', '/opt/local/bin'];

/** Return PATH with the folders of this platform's package managers, behind the user's own. */
export const withProgramFolders = (
  path: string | undefined,
  folders: readonly string[] = platformName === 'bsd' ? bsdFolders : [],
): string | undefined => {
  const given = (path ?? '').split(delimiter).filter(Boolean);
  const missing = folders.filter(folder => !given.includes(folder));
  return missing.length === 0 ? path : [...given, ...missing].join(delimiter);
};
