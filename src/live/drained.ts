/** Waits for a reader to take what it was sent; one that takes nothing for long is cut off. */
import type { ServerResponse } from 'node:http';
import { limits } from '../limits.ts';

export const drained = (response: ServerResponse): Promise<void> =>
  new Promise(resolve => {
    let left = response.writableLength;
    const timer = setInterval(() => {
      if (response.writableLength >= left) response.destroy();
      left = response.writableLength;
    }, limits.stream.stalledAfter);
    const done = () => {
      clearInterval(timer);
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
