/** The files of the spool: their order of arrival, and what is in one. emit.sh defines the format. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../contract/event.ts';

export interface Entry {
  file: string;
  /** The name of the file. It is unique per event, so a file that is read twice is the same delivery. */
  key: string;
  /** When the hook wrote it, ms. */
  at: number;
  size: number;
}

/** Lists the files of the spool, oldest first, and entries that are not regular files. */
export const listSpool = (dir: string): { entries: Entry[]; odd: { file: string; reason: string }[] } => {
  const found: (Entry & { time: bigint; pid: number })[] = [];
  const odd: { file: string; reason: string }[] = [];
  for (const name of readdirSync(dir)) {
    const file = join(dir, name);
    const facts = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    if (!facts) continue;
    if (!facts.isFile()) {
      odd.push({ file, reason: 'not a regular file' });
      continue;
    }
    const time = facts.mtimeNs;
    found.push({
      file,
      key: name,
      at: Number(time / 1_000_000n),
      size: Number(facts.size),
      time,
      pid: Number.parseInt(name, 10) || 0,
    });
  }
  // File times have a resolution of a few milliseconds; within that a later process mostly has the higher pid.
  found.sort((a, b) =>
    a.time < b.time ? -1 : a.time > b.time ? 1 : a.pid - b.pid || (a.key < b.key ? -1 : 1),
  );
  return { entries: found, odd };
};

/** Reads a spool file; null when it is gone or no longer a regular file. Never follows a link. */
export const readEntry = (file: string): Buffer | null => {
  let fd: number;
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  try {
    const facts = fstatSync(fd);
    if (!facts.isFile()) return null;
    const bytes = Buffer.allocUnsafe(facts.size);
    let length = 0;
    while (length < bytes.length) {
      const got = readSync(fd, bytes, length, bytes.length - length, length);
      if (got === 0) break;
      length += got;
    }
    return bytes.subarray(0, length);
  } catch {
    return null;
  } finally {
    closeSync(fd);
  }
};

export interface SpoolFile {
  /** The event name the hook was registered under. */
  hook: string;
  /** CLAUDE_CODE_SESSION_ID: the session of an event whose payload names none. */
  sessionId: string | null;
  context: Context;
  payload: Buffer;
  /** The file has its end mark. */
  sealed: boolean;
}

const fieldNames = [
  'hook',
  'via',
  'tmux',
  'pane',
  'claudePid',
  'parentPid',
  'sessionId',
  'entrypoint',
  'projectDir',
  'configDir',
  'host',
  'ns',
] as const;
type Field = (typeof fieldNames)[number];

const magic = Buffer.from('drover1\0');
const seal = Buffer.from('\0end\n');

/** Parses a spool file; null while its head is incomplete. */
export const readSpoolFile = (bytes: Buffer): SpoolFile | null => {
  if (!bytes.subarray(0, magic.length).equals(magic)) return null;
  const fields = {} as Record<Field, string>;
  let from = magic.length;
  for (const name of fieldNames) {
    const to = bytes.indexOf(0, from);
    if (to < 0) return null;
    fields[name] = bytes.toString('utf8', from, to);
    from = to + 1;
  }
  if (bytes[from] !== 0x0a) return null;
  const sealed = bytes.length >= from + 1 + seal.length && bytes.subarray(-seal.length).equals(seal);
  return {
    hook: fields.hook,
    sessionId: fields.sessionId || null,
    context: contextOf(fields),
    payload: bytes.subarray(from + 1, sealed ? bytes.length - seal.length : undefined),
    sealed,
  };
};

/** Builds the context of an event from the fields beside its payload. */
export const contextOf = (fields: Partial<Record<Field, string | undefined>>): Context => {
  const { via, tmux, pane, claudePid, parentPid, entrypoint, projectDir, configDir, host, ns } = fields;
  const server = /^(.+),(\d+),[^,]*$/s.exec(tmux ?? '');
  const pid = Number(claudePid || parentPid);
  return {
    ...(server && { socket: server[1], serverPid: Number(server[2]) }),
    ...(pane && /^%\d+$/.test(pane) && { pane }),
    ...(Number.isSafeInteger(pid) && pid > 1 && { pid }),
    ...(entrypoint && { entrypoint }),
    ...(projectDir && { projectDir }),
    ...(configDir && { configDir }),
    ...(host && { host }),
    ...(ns && { ns }),
    ...(via && { via }),
  };
};
