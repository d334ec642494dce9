/** Waits for a reader to take what it was sent; one that takes nothing for long is cut off. */
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
