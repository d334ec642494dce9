/** The page in a browser: how one comes in, and how it moves a tmux client. */
import * as z from 'zod';

/** What `drover open` puts behind the `#` of an address. It works once, and soon. */
export const Ticket = z.object({
  ticket: z.string(),
  /** Names the ticket and lets nobody in. */
  id: z.string(),
  until: z.number().int(),
});
export type Ticket = z.infer<typeof Ticket>;

/** Whether a browser has signed in with a ticket. */
export const TicketUse = z.object({ used: z.boolean() });
export type TicketUse = z.infer<typeof TicketUse>;

export const UseTicket = z.strictObject({ ticket: z.string().min(1).max(200) });

/** What the page sends as `X-Drover-Page` beside its cookie. */
export const PageKey = z.object({ key: z.string() });
export type PageKey = z.infer<typeof PageKey>;

export const GoToSession = z.strictObject({
  /** The tmux client to move, by its name; without it the only one there is. */
  client: z.string().min(1).max(200).optional(),
});

/** Who was moved; null where that was not clear, or nobody is there. */
export const Went = z.object({
  client: z.string().nullable(),
  /** The clients of its tmux server. */
  clients: z.array(z.object({ name: z.string(), session: z.string(), used: z.number().int() })),
});
export type Went = z.infer<typeof Went>;
