/** Resolves links in the path of a folder that may be gone. */
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Returns the real path of a folder. If it does not exist, the missing part is appended to its nearest existing parent. */
export const resolveMissingFolder = async (folder: string): Promise<string> => {
  const parent = dirname(folder);
  if (!folder.startsWith('/') || parent === folder) return folder;
  return realpath(folder).catch(async () => join(await resolveMissingFolder(parent), basename(folder)));
};
