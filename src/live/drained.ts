/** Waits until a reader has received what it was sent; disconnects one that stalls. */
import type { Writable } from 'node:stream';
import { limits } from '../limits.ts';

export const drained = (sink: Writable): Promise<void> =>
  new Promise(resolve => {
    let left = sink.writableLength;
    const timer = setInterval(() => {
      if (sink.writableLength >= left) sink.destroy();
      left = sink.writableLength;
    }, limits.stream.stalledAfter);
    const done = () => {
      clearInterval(timer);
      sink.off('drain', done);
      sink.off('close', done);
      resolve();
    };
    sink.on('drain', done);
    sink.on('close', done);
  });
