/** A scripted Messages API on loopback: the latest prompt says what the model does (see script.ts). */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { isTurn, type MessagesBody, promptOf, type Step, stepFor } from './script.ts';
import { errorBody, eventsOf, wholeMessage } from './stream.ts';
import { within } from './within.ts';

/** One request as the model saw it; `prompt` is null when it only brings tool results. */
interface ModelRequest {
  at: number;
  path: string;
  body: MessagesBody;
  prompt: string | null;
  turn: boolean;
  step: Step;
  /** Set when the answer is through, or when the CLI hung up first. */
  outcome: 'open' | 'answered' | 'dropped';
}

export interface Model {
  url: string;
  requests: ModelRequest[];
  /** The first request, past or to come, that the predicate takes. */
  asked: (wanted: (request: ModelRequest) => boolean, ms?: number) => Promise<ModelRequest>;
  close: () => Promise<void>;
}

/** A world makes tens of requests; past this the oldest are forgotten. */
const KEPT = 500;
const MAX_SLEEP = 60_000;
const MAX_BODY = 32 * 1024 * 1024;

/** Starts a model on a free port of 127.0.0.1. */
export async function openModel(): Promise<Model> {
  const requests: ModelRequest[] = [];
  const watchers = new Set<() => void>();
  const closing = new AbortController();
  const changed = () => watchers.forEach(look => look());

  const server = createServer((request, response) => {
    answer(request, response, closing.signal, seen => {
      requests.push(seen);
      requests.splice(0, requests.length - KEPT);
      changed();
    })
      .catch(() => response.destroy())
      .finally(changed);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The model has no port.');

  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    asked(wanted, ms = 15_000) {
      const what = () => `no such request in ${ms} ms; seen: ${requests.map(r => r.prompt).join(' | ')}`;
      return within(ms, what, found => {
        const look = () => found(requests.find(wanted));
        watchers.add(look);
        look();
        return () => watchers.delete(look);
      });
    },
    async close() {
      closing.abort();
      if (!server.listening) return;
      const closed = new Promise<void>(resolve => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
  record: (seen: ModelRequest) => void,
): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  if (request.method !== 'POST') return send(response, request.method === 'HEAD' ? 200 : 404, {});
  const body = JSON.parse((await read(request)) || '{}') as MessagesBody;
  if (path === '/v1/messages/count_tokens') return send(response, 200, { input_tokens: size(body) });
  if (path !== '/v1/messages') return send(response, 404, errorBody(404));

  const step = stepFor(body);
  const turn = isTurn(body);
  const seen: ModelRequest = {
    at: Date.now(),
    path,
    body,
    prompt: promptOf(body),
    turn,
    step,
    outcome: 'open',
  };
  record(seen);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const stop = AbortSignal.any([closing, gone.signal]);
  const pause = async (ms: number) => {
    if (ms > 0) await pauseFor(Math.min(ms, MAX_SLEEP), undefined, { signal: stop });
  };
  try {
    await pause(step.sleep);
    await reply(response, body, step, pause);
    seen.outcome = 'answered';
  } catch {
    seen.outcome = 'dropped';
    response.destroy();
  }
}

async function reply(
  response: ServerResponse,
  body: MessagesBody,
  step: Step,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  if (step.reply.kind === 'fail') return send(response, step.reply.status, errorBody(step.reply.status));
  const model = body.model ?? 'claude-story';
  const tokens = step.tokens ?? size(body);
  if (body.stream !== true) {
    const text = step.reply.kind === 'text' ? step.reply.text : 'done';
    return send(response, 200, wholeMessage(text, model, tokens));
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for await (const event of eventsOf(step.reply, model, tokens, pause)) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY) throw new Error('The request is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const size = (body: MessagesBody): number => Math.ceil(JSON.stringify(body.messages ?? []).length / 4);
