/** A wake as a signed POST. */
import { createHmac } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { limits } from '../../limits.ts';
import { post } from '../../notify/post.ts';

/** The signature is HMAC-SHA256 over time and body, so that neither can be changed or sent again much later. */
export const postWake = async (
  { webhook, secret_file: secretFile }: { webhook: string; secret_file?: string | undefined },
  id: string,
  body: string,
  now: number,
  ms: number = limits.wake.timeout,
): Promise<string> => {
  const time = String(Math.floor(now / 1_000));
  const signature = secretFile ? { 'X-Drover-Signature': signed(secretOf(secretFile), time, body) } : {};
  return post(webhook, body, ms, {
    'X-Drover-Wake': id,
    'Idempotency-Key': id,
    'X-Drover-Timestamp': time,
    ...signature,
  });
};

const signed = (secret: string, time: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;

/** The secret, from a file that nobody else can read; throws what is wrong with it. */
export const secretOf = (file: string): string => {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new Error(`${file} is not there`);
  if ((stats.mode & 0o077) !== 0) throw new Error(`others can read ${file}: chmod 600`);
  const secret = readFileSync(file, 'utf8').trim();
  if (secret === '') throw new Error(`${file} is empty`);
  return secret;
};
