/** The name of a project's folder below `projects/`. */

/** Every character that is no ASCII letter or digit becomes a dash. Null past 200 characters: then a hash is added. */
export const slugOf = (dir: string): string | null => {
  const slug = dir.normalize('NFC').replace(/[^a-zA-Z0-9]/g, '-');
  return slug.length > 200 ? null : slug;
};
