/** Deliver a wake as a signed POST. */
import { createHmac } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { limits } from '../../limits.ts';
import { post } from '../../notify/post.ts';

/** Post a wake. The HMAC-SHA256 signature covers time and body, so neither can be altered or replayed much later. */
export const postWake = async (
  { webhook, secret_file: secretFile }: { webhook: string; secret_file?: string | undefined },
  id: string,
  body: string,
  now: number,
  ms: number = limits.wake.timeout,
): Promise<string> => {
  const time = String(Math.floor(now / 1_000));
  const signature = secretFile ? { 'X-Drover-Signature': sign(readSecret(secretFile), time, body) } : {};
  return post(webhook, body, ms, {
    'X-Drover-Wake': id,
    'Idempotency-Key': id,
    'X-Drover-Timestamp': time,
    ...signature,
  });
};

const sign = (secret: string, time: string, body: string): string =>
  `sha256=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;

/** Read the secret; throws when the file is missing, empty or readable by others. */
export const readSecret = (file: string): string => {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw new Error(`${file} does not exist`);
  if ((stats.mode & 0o077) !== 0) throw new Error(`others can read ${file}; run chmod 600`);
  const secret = readFileSync(file, 'utf8').trim();
  if (secret === '') throw new Error(`${file} is empty`);
  return secret;
};
