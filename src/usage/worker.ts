/** The worker thread: the engine behind messages. */
import { parentPort, workerData } from 'node:worker_threads';
import { UsageEngine, type EngineOptions } from './engine.ts';
import type { Answer, Question } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('This is not a worker thread.');
const post = (answer: Answer): void => port.postMessage(answer);

const opening = UsageEngine.open(workerData as EngineOptions, {
  onBudget: reached => post({ budget: reached }),
  onError: (message, error) => post({ failure: message, reason: String(error) }),
}).then(engine => {
  engine.start();
  return engine;
});
// A question answers for a failed start.
opening.catch(() => {});

port.on('message', ({ id, method, args }: Question) => {
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
