/** The page: signing in, and moving a tmux client. */
import * as z from 'zod';

/** A ticket, which `drover open` puts after the `#` of the address. It works once, for a short time. */
export const Ticket = z.object({
  ticket: z.string(),
  /** Identifies the ticket; it cannot be used to sign in. */
  id: z.string(),
  until: z.number().int(),
});
export type Ticket = z.infer<typeof Ticket>;

/** `device`: the ticket pairs a device, which stays signed in when its browser is closed. */
export const MakeTicket = z.strictObject({ device: z.boolean().optional() });

/** A browser that is signed in. */
export const Device = z.object({
  /** Eight digits, as the audit names it. */
  id: z.string(),
  /** The browser and the system as it calls itself. */
  name: z.string(),
  /** Paired with a QR code: it stays signed in when its browser is closed. */
  paired: z.boolean(),
  /** When it signed in, and when it was last seen, ms. */
  since: z.number().int(),
  seen: z.number().int(),
  /** It gets push notifications. */
  push: z.boolean(),
  /** It is the one that asks. */
  own: z.boolean(),
});
export type Device = z.infer<typeof Device>;

export const DeviceList = z.object({ devices: z.array(Device) });
export type DeviceList = z.infer<typeof DeviceList>;

/** Whether a browser has signed in with a ticket. */
export const TicketUse = z.object({ used: z.boolean() });
export type TicketUse = z.infer<typeof TicketUse>;

const secretText = z.string().regex(/^[\w-]{16,100}$/, 'is not a nonce, an id or a MAC');

/** The page names its ticket and proves that it knows it. */
export const UseTicket = z.strictObject({
  /** The id of the ticket. */
  ticket: secretText,
  nonce: secretText,
  proof: secretText,
});
export type UseTicket = z.infer<typeof UseTicket>;

/** What the page derives its key from, and the proof that the daemon knows it too. */
export const PageKey = z.object({
  id: z.string(),
  proof: z.string(),
  /** The browser keeps the key when it is closed. */
  device: z.boolean(),
});
export type PageKey = z.infer<typeof PageKey>;

/** The page names its key, and asks the daemon to prove that it knows it. */
export const OpenChannel = z.strictObject({ key: secretText, nonce: secretText });

/** The channel that the requests of this page go through. */
export const PageChannel = z.object({ channel: z.string(), proof: z.string() });
export type PageChannel = z.infer<typeof PageChannel>;

export const GoToSession = z.strictObject({
  /** The tmux client to move, by name; the only one by default. */
  client: z.string().min(1).max(200).optional(),
});

/** The client that was moved; null when there were none, or several and no name. */
export const MovedClient = z.object({
  client: z.string().nullable(),
  /** The clients of its tmux server. */
  clients: z.array(z.object({ name: z.string(), session: z.string(), used: z.number().int() })),
});
export type MovedClient = z.infer<typeof MovedClient>;
