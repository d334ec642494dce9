/** The name of a project's folder below `projects/`. */

/** Longer names are cut here, and a hash of the whole path is put behind them. */
export const slugLength = 200;

/** A path, or a part of one, as it stands in a slug: every character that is no ASCII letter or digit becomes a dash. */
export const encoded = (path: string): string => path.normalize('NFC').replace(/[^a-zA-Z0-9]/g, '-');

/** The folder's name for a directory. */
export const slugOf = (dir: string): string => {
  const slug = encoded(dir);
  return slug.length <= slugLength ? slug : `${slug.slice(0, slugLength)}-${hash(dir.normalize('NFC'))}`;
};

const hash = (text: string): string => {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) | 0;
  return Math.abs(sum).toString(36);
};
