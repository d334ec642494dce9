/** Publishes a notice to a topic of an ntfy server, as JSON: headers could not carry every title. */
import type { Notice, NtfyConfig } from '../contract/notice.ts';
import type { PushChoice, PushMessage } from '../contract/push.ts';
import { limits } from '../limits.ts';
import { briefText } from './brief.ts';
import { pageLink } from './page-link.ts';
import { post } from './post.ts';

/** The device that keys in ntfy notifications belong to. */
export const ntfyDevice = 'ntfy';

/** Builds the message about one session, with the key that answers its request. */
export type OfferAnswers = (session: Notice['sessions'][number], details: boolean) => Promise<PushMessage>;

export const sendNtfy = async (
  notice: Notice,
  settings: NtfyConfig,
  page: string | undefined,
  offerAnswers: OfferAnswers | null,
): Promise<string> => {
  const { server, token, actions, details } = settings;
  const [only, ...others] = notice.sessions;
  const offer =
    actions && token !== undefined && page !== undefined && only && others.length === 0
      ? ((await offerAnswers?.(only, details)) ?? null)
      : null;
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const message = ntfyMessage(notice, settings, page, offer);
  return post(server, JSON.stringify(message), limits.notify.timeout, headers);
};

export const ntfyMessage = (
  notice: Notice,
  { topic, priority, details }: NtfyConfig,
  page: string | undefined,
  offer: PushMessage | null,
) => {
  const { title, text } = offer
    ? { title: offer.title, text: offer.body }
    : details
      ? notice
      : briefText(notice);
  const click = pageLink(notice, page);
  const actions = offer && page !== undefined ? actionsOf(offer, page) : [];
  return {
    topic,
    title,
    // ntfy writes "triggered" for an empty message.
    message: text || 'Drover',
    priority,
    tags: ['drover'],
    ...(click && { click }),
    ...(actions.length > 0 && { actions }),
  };
};

const labels: Record<PushChoice, string> = { allow: 'Allow', deny: 'Deny' };

/** A tap on the notification opens the session, so only answers need a button. */
const actionsOf = ({ actions, request, key }: PushMessage, page: string) =>
  key === undefined
    ? []
    : actions
        .filter(action => action !== 'review')
        .map(choice => ({
          action: 'http',
          label: labels[choice],
          url: `${page.replace(/\/+$/, '')}/notifications/answer`,
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ key, request, choice }),
          clear: true,
        }));
