/** Events, and where they were seen. */
import * as z from 'zod';

export const Source = z.enum(['hook', 'file', 'transcript', 'sweep', 'drover']);
export type Source = z.infer<typeof Source>;

/** Where the session of an event runs, which the payload does not say. Absent means unknown. */
export const Context = z
  .object({
    /** tmux server: socket path and pid. A pane id alone identifies nothing. */
    socket: z.string(),
    serverPid: z.number().int(),
    pane: z.string(),
    pid: z.number().int(),
    entrypoint: z.string(),
    projectDir: z.string(),
    configDir: z.string(),
    /** Seen through the mounted socket of the host's tmux server: the pane can be reached, its pids are the host's. */
    foreignPids: z.boolean(),
    /** Host and pid namespace, only where they differ from the daemon's. */
    host: z.string(),
    ns: z.string(),
    /** `plugin`: the plugin's copy of the hook. */
    via: z.string(),
    /** Sent by POST. Panes and processes of such an event are not trusted. */
    posted: z.boolean(),
    /** Who reported it: a token, a host, or `post`. Its session is `<id>@<origin>`. */
    origin: z.string(),
    /** Sent without a token, where the config allows that. */
    unverified: z.boolean(),
    /** The tmux pane and socket that a POST named: hints, believed only where tmux and the process agree. */
    hintPane: z.string(),
    hintSocket: z.string(),
    /** The id of its delivery, if its hook may wait for an answer. The waiting hook is matched by it. */
    delivery: z.string(),
  })
  .partial();
export type Context = z.infer<typeof Context>;

/** An event on its way into the log. */
export interface Draft {
  /** The source's own time, ms. */
  at: number;
  source: Source;
  name: string;
  sessionId: string | null;
  context: Context;
  /** The payload, byte for byte. */
  raw: Uint8Array;
}

/** An event in the log. */
export interface Event extends Draft {
  seq: number;
  /** Arrival, ms. */
  seen: number;
}

/** An event as programs read it: the payload parsed where it is JSON, else as base64. */
export const EventView = z.object({
  seq: z.number().int(),
  at: z.number().int(),
  seen: z.number().int(),
  source: Source,
  name: z.string(),
  sessionId: z.string().nullable(),
  context: Context,
  payload: z.unknown().optional(),
  base64: z.string().optional(),
});
export type EventView = z.infer<typeof EventView>;
