/**
 * The channels of signed-in pages. A page opens one before it asks for anything: the daemon proves first that it knows the key of
 * the page. Then every request carries a MAC with a number that is used once. Channels are kept in memory only, so nothing that was
 * sent before a restart, or to another program on the port, is worth anything later.
 */
import { type Clock, elapsed } from '../clock.ts';
import { type PageProof, proofTexts } from '../contract/page-proof.ts';
import { limits } from '../limits.ts';
import { isMac, macOf, newNonce } from './page-mac.ts';

/** What a request says of itself. */
export interface PageRequest {
  proof: PageProof;
  host: string;
  method: string;
  /** With the query. */
  path: string;
}

interface Channel {
  cookie: string;
  keyId: string;
  openedAt: number;
  highest: number;
  used: Set<number>;
}

export class PageChannels {
  private readonly channels = new Map<string, Channel>();

  constructor(
    /** Returns a key of the browser with this cookie; null when it is not valid. */
    private readonly keyOf: (cookie: string, keyId: string) => Buffer | null,
    private readonly clock: Clock,
  ) {}

  /** Opens a channel, and proves to the page that this daemon knows its key. Null: signed out. */
  open(
    cookie: string,
    keyId: string,
    nonce: string,
    host: string,
  ): { channel: string; proof: string } | null {
    const key = this.keyOf(cookie, keyId);
    if (!key) return null;
    const channel = newNonce();
    const openedAt = elapsed(this.clock);
    this.channels.set(channel, { cookie, keyId, openedAt, highest: 0, used: new Set() });
    const own = [...this.channels].filter(([, other]) => other.cookie === cookie);
    for (const [old] of own.slice(0, -limits.page.channels)) this.channels.delete(old);
    return { channel, proof: macOf(key, proofTexts.channel(host, nonce, channel)) };
  }

  /** Accepts a request once and returns the proof for its answer; null for any other. */
  accept(cookie: string, { proof, host, method, path }: PageRequest): string | null {
    const channel = this.channels.get(proof.channel);
    const key = channel?.cookie === cookie ? this.keyOf(cookie, channel.keyId) : null;
    if (!channel || !key) return null;
    if (!isMac(key, proofTexts.request(proof, host, method, path), proof.mac)) return null;
    const age = elapsed(this.clock) - channel.openedAt - proof.at;
    if (Math.abs(age) > limits.page.requestAge || !isFirst(channel, proof.count)) return null;
    return macOf(key, proofTexts.answer(proof));
  }
}

/** Whether this number was not used before. Requests may overtake each other, but not by more than the window. */
const isFirst = (channel: Channel, count: number): boolean => {
  const { used, highest } = channel;
  if (count <= highest - limits.page.requestWindow || used.has(count)) return false;
  used.add(count);
  channel.highest = Math.max(highest, count);
  for (const old of used) {
    if (old > channel.highest - limits.page.requestWindow) break;
    used.delete(old);
  }
  return true;
};
