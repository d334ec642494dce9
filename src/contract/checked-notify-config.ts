/** `notify` in the config, with what one field needs of another. */
import { NotifyConfig } from './notice.ts';

export const CheckedNotifyConfig = NotifyConfig.refine(
  ({ ntfy, page }) => !ntfy?.actions || page !== undefined,
  {
    path: ['ntfy', 'actions'],
    message: 'needs `page`: the address at which the phone reaches Drover',
  },
).refine(
  ({ ntfy, page }) => !ntfy?.actions || [ntfy.server, page].every(url => url === undefined || isSecure(url)),
  {
    path: ['ntfy', 'actions'],
    message: 'needs https for `server` and `page`: over http anyone on the way could read the key and answer',
  },
);

/** Tests have no certificate: they use http on loopback. */
const isSecure = (url: string): boolean =>
  url.startsWith('https:') ||
  (process.env.DROVER_TEST_PUSH === '1' && /^http:\/\/127\.0\.0\.1(?::\d+)?\/?$/.test(url));
