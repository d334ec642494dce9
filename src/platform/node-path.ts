import { realpathSync } from 'node:fs';

/**
 * Return a path of this node that survives its next update. Homebrew removes the folder of a version with the update and keeps
 * a link to the current one.
 */
export const nodePath = (
  path: string = process.execPath,
  realPath: (path: string) => string = realpathSync,
): string => {
  const [, prefix, formula] = /^(.*)\/Cellar\/([^/]+)\/[^/]+\/bin\/node$/.exec(path) ?? [];
  if (prefix === undefined) return path;
  const isSame = (link: string) => {
    try {
      return realPath(link) === realPath(path);
    } catch {
      return false;
    }
  };
  return [`${prefix}/opt/${formula}/bin/node`, `${prefix}/bin/node`].find(isSame) ?? path;
};
