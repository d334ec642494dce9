/** A channel sends notices one way: by bell, desktop, command, webhook, ntfy or push. */
import type { Notice, NoticeTest } from '../contract/notice.ts';

export interface Channel {
  /** What the log calls it. */
  name: string;
  /** Sends one notice. Rejects with the reason if it was not sent; must end within `limits.notify.timeout`. */
  send: (notice: Notice) => Promise<unknown>;
}

/** The outcome of a notice in one channel. */
export type Delivery = NoticeTest['deliveries'][number];
