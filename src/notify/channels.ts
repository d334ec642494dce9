/** The channels that the config names. */
import type { Notice, NotifyConfig } from '../contract/notice.ts';
import { limits } from '../limits.ts';
import type { Channel } from './channel.ts';
import { sendDesktop } from './desktop.ts';
import { type OfferAnswers, sendNtfy } from './ntfy.ts';
import { post } from './post.ts';
import { runProgram } from './run-program.ts';
import { sendWebhook } from './webhook.ts';

export const channelsOf = (
  config: NotifyConfig,
  /** Rings the terminals of the sessions in a notice. */
  ring: (notice: Notice) => Promise<void>,
  /** Offers answers in notifications of ntfy; null where there are none. */
  offerAnswers: OfferAnswers | null = null,
): Channel[] => {
  const { bell, desktop, command, webhook, ntfy, page } = config;
  return [
    ...(bell ? [{ name: 'bell', send: ring }] : []),
    ...(desktop ? [{ name: 'desktop', send: (notice: Notice) => sendDesktop(notice, page) }] : []),
    ...(command ? [{ name: 'command', send: (notice: Notice) => runProgram(command, json(notice)) }] : []),
    ...webhookChannels(webhook, page),
    ...(ntfy ? [{ name: 'ntfy', send: (notice: Notice) => sendNtfy(notice, ntfy, page, offerAnswers) }] : []),
  ];
};

const webhookChannels = (webhook: NotifyConfig['webhook'], page: string | undefined): Channel[] => {
  if (webhook === undefined) return [];
  if (typeof webhook === 'string')
    return [{ name: 'webhook', send: notice => post(webhook, json(notice), limits.notify.timeout) }];
  return [webhook]
    .flat()
    .map(settings => ({ name: settings.name, send: notice => sendWebhook(notice, settings, page) }));
};

const json = (notice: Notice): string => `${JSON.stringify(notice)}\n`;
