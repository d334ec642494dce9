/** Resolves links in the path of a folder that may be gone. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Returns the real path of a folder. What does not exist any more is appended to its nearest parent that does. */
export const realFolder = async (folder: string): Promise<string> => {
  const parent = dirname(folder);
  if (!folder.startsWith('/') || parent === folder) return folder;
  return realpath(folder).catch(async () => join(await realFolder(parent), basename(folder)));
};

/** Whether a folder is the other one or below it. Both are real paths. */
export const isAtOrBelow = (folder: string, root: string): boolean =>
  folder === root || folder.startsWith(root.endsWith('/') ? root : `${root}/`);
