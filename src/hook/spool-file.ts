/** Parses a spool file. emit.sh defines the format. */
import type { Context } from '../contract/event.ts';

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
