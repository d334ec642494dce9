/** Names of the project folders below `projects/`. */

/** Longer names are truncated to this, and a hash of the whole path is appended. */
export const slugLength = 200;

/** A path, or part of one, in a slug: every character except ASCII letters and digits becomes a dash. */
export const encoded = (path: string): string => path.normalize('NFC').replace(/[^a-zA-Z0-9]/g, '-');

/** The name of a directory's project folder. */
export const slugOf = (dir: string): string => {
  const slug = encoded(dir);
  return slug.length <= slugLength ? slug : `${slug.slice(0, slugLength)}-${hash(dir.normalize('NFC'))}`;
};

const hash = (text: string): string => {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) | 0;
  return Math.abs(sum).toString(36);
};
