/** POST JSON and return the response. Anything but a 2xx status within the time limit is an error. */
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { limits } from '../limits.ts';

export const post = (
  url: string,
  body: string,
  ms: number,
  extra: Record<string, string> = {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? secure : plain;
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      ...extra,
    };
    const outgoing = send(url, { method: 'POST', headers }, response => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text = (text + piece).slice(0, limits.wake.responseBytes);
      });
      response.on('error', reject);
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve(text);
        else reject(new Error(`HTTP status ${status}`));
      });
    });
    // For the whole request, so that a response that trickles in times out too.
    const timer = setTimeout(() => outgoing.destroy(new Error('no answer in time')), ms);
    outgoing.on('close', () => clearTimeout(timer));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
