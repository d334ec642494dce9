/** Posts a notice in the shape that a template in the config gives it. */
import type { Notice, WebhookConfig } from '../contract/notice.ts';
import { limits } from '../limits.ts';
import { escapeHtml } from './escape-html.ts';
import { pageLink } from './page-link.ts';
import { post } from './post.ts';

export const sendWebhook = (
  notice: Notice,
  settings: WebhookConfig,
  page: string | undefined,
): Promise<string> =>
  post(
    settings.url,
    JSON.stringify(webhookBody(notice, settings, page)),
    limits.notify.timeout,
    settings.headers,
  );

/** Replaces the placeholders in every text of the template, so that no notice can break out of its place in the JSON. */
export const webhookBody = (
  notice: Notice,
  { body, escape, maxText }: Pick<WebhookConfig, 'body' | 'escape' | 'maxText'>,
  page: string | undefined,
): unknown => {
  if (body === undefined) return notice;
  const escaped = escape === 'html' ? escapeHtml : (text: string) => text;
  const values: Record<string, string> = {
    title: escaped(truncate(notice.title, limits.notify.title)),
    text: escaped(truncate(notice.text, maxText)),
    url: pageLink(notice, page) ?? '',
    count: String(notice.sessions.length),
  };
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replace(/\{\{(\w+)\}\}/g, (all, name: string) => values[name] ?? all);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]));
  };
  return fill(body);
};

/** By characters as people see them, so that none is cut in half. */
const truncate = (text: string, maxLength: number): string => {
  const characters = Array.from(text);
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
};
