/**
 * Keys that answer one request from a notification. A key belongs to one device and one request and works once. Only digests are
 * kept, in memory: after a restart of the daemon the notification still opens the request, but no longer answers it.
 */
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { PushAnswer, PushChoice } from '../../contract/push.ts';
import { limits } from '../../limits.ts';
import { sha256 } from '../../sha256.ts';
import { newSecret } from '../../files/token-file.ts';

export interface KeyScope {
  device: string;
  session: string;
  request: number;
  choices: readonly PushChoice[];
}

interface StoredKey extends KeyScope {
  until: number;
  isUsed: boolean;
}

export class ActionKeys {
  private readonly stored = new Map<string, StoredKey>();

  constructor(private readonly clock: Clock) {}

  create(scope: KeyScope): string {
    const key = newSecret();
    this.stored.set(sha256(key), { ...scope, until: this.clock.now() + limits.push.keyAge, isUsed: false });
    for (const old of [...this.stored.keys()].slice(0, -limits.push.keys)) this.stored.delete(old);
    return key;
  }

  /** Revokes the keys of a device, or all. */
  clear(device?: string): void {
    for (const [key, stored] of this.stored)
      if (device === undefined || stored.device === device) this.stored.delete(key);
  }

  /** Spends a key and returns its session; throws `stale_action` and spends nothing when it does not fit. */
  use({ key, request, choice }: PushAnswer, device: string | null): string {
    const stored = this.stored.get(sha256(key));
    if (!stored || stored.until < this.clock.now() || stored.device !== device) throw expiredKey();
    if (stored.isUsed) throw new DroverError('stale_action', 'This notification was already answered.');
    if (stored.request !== request)
      throw new DroverError('stale_action', 'The key of this notification belongs to another request.');
    if (!stored.choices.includes(choice))
      throw new DroverError('stale_action', `This notification cannot answer with \`${choice}\`.`);
    stored.isUsed = true;
    return stored.session;
  }
}

export const expiredKey = (): DroverError =>
  new DroverError('stale_action', 'The key of this notification has expired.');
