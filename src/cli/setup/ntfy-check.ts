/** The check of `ntfy.actions` in `drover doctor`; none where it is off. */
import type { NtfyConfig } from '../../contract/notice.ts';
import { readConfig } from '../../daemon/config.ts';
import type { Check } from '../output/print-checks.ts';
import type { Call } from '../verb.ts';
import { probeAddress } from './probe-address.ts';

export const ntfyChecks = async ({ paths }: Pick<Call, 'paths'>): Promise<Check[]> => {
  const ntfy = ntfyOf(paths.config);
  return ntfy?.actions ? [await topicCheck(ntfy)] : [];
};

/** The config has its own check. */
const ntfyOf = (file: string): NtfyConfig | undefined => {
  try {
    return readConfig(file).notify?.ntfy;
  } catch {
    return undefined;
  }
};

/** Reads the topic without a token, which the server must refuse: each message has a key that answers. */
const topicCheck = async ({ server, topic }: NtfyConfig): Promise<Check> => {
  const name = 'ntfy topic';
  const base = new URL(server.endsWith('/') ? server : `${server}/`);
  try {
    const { status } = await probeAddress(base, { path: `${topic}/json?poll=1&since=none` });
    if (status === 401 || status === 403)
      return { name, ok: true, says: `${base.host} refuses to show ${topic} without a token` };
    if (status !== 200)
      return { name, ok: null, says: `could not determine who can read ${topic}: HTTP status ${status}` };
    return {
      name,
      ok: false,
      says: `anyone can read ${topic} on ${base.host}, and so answer your requests`,
      fix: 'let the server refuse reading without a token, or set `notify.ntfy.actions` to false',
    };
  } catch (error) {
    return { name, ok: null, says: `could not determine who can read ${topic}: ${(error as Error).message}` };
  }
};
