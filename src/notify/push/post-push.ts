/** POST an encrypted message to a push service and return the HTTP status. */
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { limits } from '../../limits.ts';
import type { PushRequest } from './encrypt.ts';
import { publicLookup } from './endpoint.ts';

/** The address was checked; with `isTest` it may be http and private. */
export const postPush = ({ endpoint, headers, body }: PushRequest, isTest: boolean): Promise<number> =>
  new Promise((resolve, reject) => {
    const send = endpoint.startsWith('https:') ? secure : plain;
    // A separate connection: an address that was checked once is not reused for a later message.
    const options = { method: 'POST', headers, agent: false, ...(!isTest && { lookup: publicLookup }) };
    const outgoing = send(endpoint, options, response => {
      response.on('error', reject);
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.resume();
    });
    const timer = setTimeout(() => outgoing.destroy(new Error('no answer in time')), limits.notify.timeout);
    outgoing.on('close', () => clearTimeout(timer));
    outgoing.on('error', reject);
    outgoing.end(body);
  });
