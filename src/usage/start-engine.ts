/** Starts the engine in a worker thread, so that reading gigabytes does not block the daemon. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';
import { limits } from '../limits.ts';
import { type EngineListeners, type EngineOptions, UsageEngine } from './engine.ts';
import type { AsyncEngine, EngineMessage, EngineMethod } from './messages.ts';

/** The worker is beside every bundle. Unit tests run from sources and have none: there the engine runs in this thread. */
export const startEngine = (
  options: EngineOptions,
  listeners: EngineListeners,
  clock: Clock,
): AsyncEngine => {
  const file = join(dirname(fileURLToPath(import.meta.url)), 'usage-worker.js');
  return existsSync(file) ? inWorker(file, options, listeners) : inThread(options, listeners, clock);
};

const inThread = (options: EngineOptions, listeners: EngineListeners, clock: Clock): AsyncEngine => {
  const opening = UsageEngine.open(options, listeners, clock).then(engine => {
    engine.start();
    return engine;
  });
  opening.catch(error => listeners.onError('usage could not be opened', error));
  const ask =
    (method: EngineMethod) =>
    async (...args: unknown[]) =>
      ((await opening)[method] as (...given: unknown[]) => unknown)(...args);
  return asked(ask);
};

const inWorker = (file: string, options: EngineOptions, listeners: EngineListeners): AsyncEngine => {
  const open = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;
  const worker = new Worker(file, {
    workerData: options,
    // Nothing of the daemon's environment is needed but the time zone.
    env: { TZ: process.env.TZ },
    resourceLimits: { maxOldGenerationSizeMb: limits.usage.workerHeap },
  });
  // It must not keep a daemon alive that has stopped.
  worker.unref();
  const fail = (error: Error) => {
    for (const { reject } of open.values()) reject(error);
    open.clear();
  };
  worker.on('message', (message: EngineMessage) => {
    if ('budget' in message) return listeners.onBudget(message.budget);
    if ('failure' in message) return listeners.onError(message.failure, message.reason);
    const waiting = open.get(message.id);
    open.delete(message.id);
    if ('error' in message) waiting?.reject(new Error(message.error));
    else waiting?.resolve(message.result);
  });
  worker.on('error', error => {
    listeners.onError('the usage worker failed', error);
    fail(error instanceof Error ? error : new Error(String(error)));
  });
  worker.on('exit', () => {
    listeners.onExit?.();
    fail(new Error('The usage worker has stopped.'));
  });
  const ask =
    (method: EngineMethod) =>
    (...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        open.set(id, { resolve, reject });
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        worker.postMessage({ id, method, args });
      });
  return asked(ask);
};

const asked = (ask: (method: EngineMethod) => unknown): AsyncEngine =>
  Object.fromEntries(methods.map(method => [method, ask(method)])) as unknown as AsyncEngine;

const methods: EngineMethod[] = ['report', 'follow', 'forget', 'addCostReport', 'close'];
