/** One POST of JSON to a program that listens. Anything but a 2xx within the time is an error. */
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';

export const post = (
  url: string,
  body: string,
  ms: number,
  extra: Record<string, string> = {},
): Promise<void> =>
  new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? secure : plain;
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      ...extra,
    };
    const outgoing = send(url, { method: 'POST', headers }, response => {
      response.resume();
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) resolve();
      else reject(new Error(`the answer was ${status}`));
    });
    outgoing.setTimeout(ms, () => outgoing.destroy(new Error('no answer in time')));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
