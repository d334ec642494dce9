/** The worker thread: the engine behind messages. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemClock } from '../clock.ts';
import { type EngineListeners, type EngineOptions, UsageEngine } from './engine.ts';
import type { EngineCall, EngineMessage } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('This is not a worker thread.');
const post = (message: EngineMessage): void => port.postMessage(message);

const listeners: EngineListeners = {
  onBudget: reached => post({ budget: reached }),
  onError: (message, error) => post({ failure: message, reason: String(error) }),
};
const opening = UsageEngine.open(workerData as EngineOptions, listeners, systemClock).then(engine => {
  engine.start();
  return engine;
});
// Each call reports a failed start.
opening.catch(() => {});

port.on('message', ({ id, method, args }: EngineCall) => {
  void opening
    .then(engine => (engine[method] as (...given: unknown[]) => unknown)(...args))
    .then(
      result => post({ id, result }),
      error => post({ id, error: String(error) }),
    )
    .finally(() => {
      if (method === 'close') port.close();
    });
});
