/**
 * Push notifications: one channel for notices. A notice becomes one notification for each session, or a digest when there are
 * many, and goes to every paired device that subscribed. A device that its push service no longer knows is unsubscribed.
 */
import type { RequestPage } from '../../contract/answer.ts';
import type { Notice } from '../../contract/notice.ts';
import type { PushConfig, PushMessage, PushSubscription } from '../../contract/push.ts';
import { limits } from '../../limits.ts';
import { sha256 } from '../../sha256.ts';
import type { Channel } from '../channel.ts';
import type { ActionKeys } from './action-keys.ts';
import type { VapidKeys } from './encrypt.ts';
import { checkEndpoint } from './endpoint.ts';
import { digestMessage, type MessageDraft, type NoticeSession, sessionMessage } from './message.ts';
import { postPush } from './post-push.ts';
import { vapidKeys } from './vapid-keys.ts';

/** A paired device that subscribed. */
export interface PushDevice {
  id: string;
  name: string;
  subscription: PushSubscription;
}

export interface PushDeps {
  /** The file with the keys of this daemon. */
  keyFile: string;
  actionKeys: ActionKeys;
  devices: () => PushDevice[];
  unsubscribe: (device: PushDevice) => void;
  /** The ids of the open requests of a session. */
  requestsOf: (session: string) => number[];
  /** Reads an open request with its choices. */
  readRequest: (session: string, request: number) => Promise<RequestPage>;
  mask: (text: string) => string;
  /** Permits http and private addresses. */
  isTest: boolean;
}

export class Push {
  private keys: Promise<VapidKeys> | null = null;

  constructor(
    /** Read when it is used: a change of config.json applies at once. */
    private readonly config: () => PushConfig | undefined,
    private readonly deps: PushDeps,
  ) {}

  /** The public key that devices subscribe with; null when the config has no `push`. */
  async publicKey(): Promise<string | null> {
    return this.config() ? (await this.vapidKeys()).publicKey : null;
  }

  /** Throws `refused` unless notifications may be sent to this address. */
  check(endpoint: string): void {
    checkEndpoint(endpoint, this.config()?.services ?? [], this.deps.isTest);
  }

  /** The channel for notices; none while push is off or no device is subscribed. */
  channels(): Channel[] {
    const isOn = this.config() !== undefined && this.deps.devices().length > 0;
    return isOn ? [{ name: 'push', send: notice => this.send(notice) }] : [];
  }

  /** Sends a notice to every subscribed device; throws what failed. */
  async send(notice: Notice): Promise<void> {
    const config = this.config();
    const devices = this.deps.devices();
    if (!config || devices.length === 0) return;
    const messages = await this.messagesOf(notice, config);
    const failures = await Promise.all(
      devices.map(device =>
        Promise.all(messages.map(message => this.sendTo(device, message, config))).then(
          () => [],
          (error: unknown) => [`${device.name} ${device.id}: ${(error as Error).message}`],
        ),
      ),
    );
    if (failures.flat().length > 0) throw new Error(failures.flat().join('; '));
  }

  /** Builds the message about one session for another channel, with the key that answers its request from there. */
  async offer(session: NoticeSession, device: string, details: boolean): Promise<PushMessage> {
    const { choices, ...message } = await this.messageOf(session, details);
    const { request } = message;
    if (request === undefined) return message;
    return {
      ...message,
      key: this.deps.actionKeys.create({ device, session: session.id, request, choices }),
    };
  }

  private async messagesOf(notice: Notice, { details }: PushConfig): Promise<MessageDraft[]> {
    const { sessions } = notice;
    if (sessions.length === 0 || sessions.length > limits.push.messages)
      return [digestMessage(notice, { details, mask: this.deps.mask })];
    return Promise.all(sessions.map(session => this.messageOf(session, details)));
  }

  private async messageOf(session: NoticeSession, details: boolean): Promise<MessageDraft> {
    const [first, ...others] = this.deps.requestsOf(session.id);
    // A request that was answered a moment ago cannot be read: the notification then answers nothing.
    const request = first === undefined ? null : await this.read(session.id, first);
    const options = { details, mask: this.deps.mask };
    return sessionMessage(session, request, request ? 1 + others.length : 0, options);
  }

  private read(session: string, request: number): Promise<RequestPage | null> {
    return this.deps.readRequest(session, request).catch(() => null);
  }

  private async sendTo(device: PushDevice, draft: MessageDraft, { subject }: PushConfig): Promise<void> {
    this.check(device.subscription.endpoint);
    const { choices, ...message } = draft;
    const { session, request } = message;
    const key =
      session !== null && request !== undefined
        ? this.deps.actionKeys.create({ device: device.id, session, request, choices })
        : undefined;
    const { encrypt } = await import('./encrypt.ts');
    const status = await postPush(
      encrypt(device.subscription, JSON.stringify({ ...message, key }), {
        subject,
        keys: await this.vapidKeys(),
        topic: sha256(message.tag).slice(0, 32),
      }),
      this.deps.isTest,
    );
    if (status === 404 || status === 410) this.deps.unsubscribe(device);
    else if (status < 200 || status >= 300) throw new Error(`HTTP status ${status}`);
  }

  private vapidKeys(): Promise<VapidKeys> {
    this.keys ??= vapidKeys(this.deps.keyFile).catch((error: unknown) => {
      this.keys = null;
      throw error;
    });
    return this.keys;
  }
}
