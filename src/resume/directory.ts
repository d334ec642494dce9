/** The directory a session is to be resumed in: never guessed, and where two sources disagree, said. */
import { realpathSync, statSync } from 'node:fs';
import { slugOf } from '../claude/slug.ts';
import { type Decoded, decode } from './decode.ts';

/** Who named a directory. */
export type Teller = 'drover' | 'pane' | 'transcript' | 'decoder';

export interface Sources {
  /** What Drover recorded at SessionStart. */
  recorded: string | null;
  /** `@meta.claude.session_dir` of the pane that has this session. */
  pane: string | null;
  /** The first directory in the transcript. */
  transcript: string | null;
  /** The transcript's folder; null where there is no transcript. */
  slug: string | null;
  cwd: string;
}

export type Directory =
  | { kind: 'known'; dir: string; by: Teller }
  /** The transcript's directory is `dir`; Drover or the pane say another. */
  | { kind: 'disagreement'; dir: string; other: string; by: Teller }
  /** Nothing but the folder's name is left, and several directories fit it. */
  | { kind: 'several'; dirs: string[]; whole: boolean }
  | { kind: 'gone'; dir: string }
  | { kind: 'unknown' };

export const directoryOf = (
  sources: Sources,
  decoded: (slug: string, cwd: string) => Decoded = decode,
): Directory => {
  const told = toldBy(sources);
  const { transcript, slug, cwd } = sources;
  if (transcript !== null) {
    if (!told || isSame(told.dir, transcript)) return checked(transcript, told?.by ?? 'transcript');
    // The transcript's own directory is gone, and the other one is where Claude Code would look for this transcript too.
    if (!exists(transcript) && exists(told.dir) && slugOf(told.dir) === slug)
      return { kind: 'known', ...told };
    return exists(transcript)
      ? { kind: 'disagreement', dir: transcript, other: told.dir, by: told.by }
      : { kind: 'gone', dir: transcript };
  }
  if (told && (slug === null || slugOf(told.dir) === slug)) return checked(told.dir, told.by);
  if (slug === null) return { kind: 'unknown' };
  const { found, whole } = decoded(slug, cwd);
  const [dir, ...twins] = found;
  if (dir === undefined) return told ? checked(told.dir, told.by) : { kind: 'unknown' };
  if (twins.length > 0 || !whole) return { kind: 'several', dirs: found, whole };
  return told
    ? { kind: 'disagreement', dir, other: told.dir, by: told.by }
    : { kind: 'known', dir, by: 'decoder' };
};

const toldBy = ({ recorded, pane }: Sources): { dir: string; by: Teller } | null => {
  if (recorded?.startsWith('/')) return { dir: recorded, by: 'drover' };
  return pane?.startsWith('/') ? { dir: pane, by: 'pane' } : null;
};

const checked = (dir: string, by: Teller): Directory =>
  exists(dir) ? { kind: 'known', dir, by } : { kind: 'gone', dir };

const exists = (dir: string): boolean => {
  try {
    return statSync(dir).isDirectory();
  } catch {
    return false;
  }
};

/** The same directory, by name or behind links. */
export const isSame = (a: string, b: string): boolean => a === b || real(a) === real(b);

const real = (dir: string): string => {
  try {
    return realpathSync(dir);
  } catch {
    return dir.normalize('NFC').replace(/(?<=.)\/+$/, '');
  }
};
