/** Find the directory to resume a session in. It is never guessed, and a disagreement of two sources is reported. */
import { realpathSync, statSync } from 'node:fs';
import { slugOf } from '../claude/slug.ts';
import { type Decoded, decodeSlug } from './decode-slug.ts';

/** Where a directory is known from. */
export type DirectorySource = 'drover' | 'pane' | 'transcript' | 'decoder';

export interface DirectorySources {
  /** Recorded by Drover at SessionStart. */
  recorded: string | null;
  /** `@meta.claude.session_dir` of the pane that has this session. */
  pane: string | null;
  /** The first directory in the transcript. */
  transcript: string | null;
  /** Name of the transcript's folder; null without a transcript. */
  slug: string | null;
  cwd: string;
}

export type Directory =
  | { kind: 'known'; dir: string; by: DirectorySource }
  /** The transcript has `dir`; Drover or the pane has another. */
  | { kind: 'disagreement'; dir: string; other: string; by: DirectorySource }
  /** Only the folder's name is left, and several directories match it. */
  | { kind: 'several'; dirs: string[]; isComplete: boolean }
  | { kind: 'gone'; dir: string }
  | { kind: 'unknown' };

export const directoryOf = (
  sources: DirectorySources,
  decoded: (slug: string, cwd: string) => Decoded = decodeSlug,
): Directory => {
  const recorded = recordedBy(sources);
  const { transcript, slug, cwd } = sources;
  if (transcript !== null) {
    if (!recorded || isSame(recorded.dir, transcript))
      return directoryAt(transcript, recorded?.by ?? 'transcript');
    // The transcript's directory is gone, but Claude Code finds the transcript from the other one too.
    if (!exists(transcript) && exists(recorded.dir) && slugOf(recorded.dir) === slug)
      return { kind: 'known', ...recorded };
    return exists(transcript)
      ? { kind: 'disagreement', dir: transcript, other: recorded.dir, by: recorded.by }
      : { kind: 'gone', dir: transcript };
  }
  if (recorded && (slug === null || slugOf(recorded.dir) === slug))
    return directoryAt(recorded.dir, recorded.by);
  if (slug === null) return { kind: 'unknown' };
  const { found, isComplete } = decoded(slug, cwd);
  const [dir, ...others] = found;
  if (dir === undefined) return recorded ? directoryAt(recorded.dir, recorded.by) : { kind: 'unknown' };
  if (others.length > 0 || !isComplete) return { kind: 'several', dirs: found, isComplete };
  return recorded
    ? { kind: 'disagreement', dir, other: recorded.dir, by: recorded.by }
    : { kind: 'known', dir, by: 'decoder' };
};

const recordedBy = ({ recorded, pane }: DirectorySources): { dir: string; by: DirectorySource } | null => {
  if (recorded?.startsWith('/')) return { dir: recorded, by: 'drover' };
  return pane?.startsWith('/') ? { dir: pane, by: 'pane' } : null;
};

const directoryAt = (dir: string, by: DirectorySource): Directory =>
  exists(dir) ? { kind: 'known', dir, by } : { kind: 'gone', dir };

const exists = (dir: string): boolean => {
  try {
    return statSync(dir).isDirectory();
  } catch {
    return false;
  }
};

/** Check whether two paths name the same directory, also through links. */
export const isSame = (a: string, b: string): boolean => a === b || real(a) === real(b);

const real = (dir: string): string => {
  try {
    return realpathSync.native(dir);
  } catch {
    return dir.normalize('NFC').replace(/(?<=.)\/+$/, '');
  }
};
