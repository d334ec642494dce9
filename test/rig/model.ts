/** A scripted Messages API on loopback: the latest prompt says what the model does (see script.ts). */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { isTurn, type MessagesBody, promptOf, type Step, stepFor, type Verdict } from './script.ts';
import { type ApiEvent, errorBody, eventsOf, wholeMessage } from './stream.ts';
import { within } from './within.ts';

/** One request as the model saw it; `prompt` is null when it only brings tool results. */
interface ModelRequest {
  at: number;
  path: string;
  body: MessagesBody;
  prompt: string | null;
  turn: boolean;
  step: Step;
  /** Set when the answer is complete, or when the CLI disconnected first. */
  outcome: 'open' | 'answered' | 'dropped';
  /** The message that it was answered with, and the final figures; null when the answer was an error. */
  sent: SentMessage | null;
}

export interface SentMessage {
  id: string;
  input: number;
  output: number;
}

export interface Model {
  url: string;
  requests: ModelRequest[];
  /** The quota of a subscription. Each answer reports how much is used; `LIMIT` reports that it is used up. Null: an account with an API key. */
  quota: ModelQuota | null;
  /** What the check of auto mode says about calls whose script does not say it. Default: not flagged. */
  verdict: Verdict;
  /** The first request, past or to come, that the predicate takes. */
  asked: (wanted: (request: ModelRequest) => boolean, ms?: number) => Promise<ModelRequest>;
  close: () => Promise<void>;
}

export interface ModelQuota {
  percent: number;
  /** Seconds since the epoch. */
  resetsAt: number;
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
  const failures = new Set<string>();
  let quota: ModelQuota | null = null;
  let verdict: Verdict = 'not flagged';
  const changed = () => watchers.forEach(look => look());

  const server = createServer((request, response) => {
    answer(request, response, { closing: closing.signal, failures, quota, verdict }, seen => {
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
    get quota() {
      return quota;
    },
    set quota(given) {
      quota = given;
    },
    get verdict() {
      return verdict;
    },
    set verdict(given) {
      verdict = given;
    },
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
  {
    closing,
    failures,
    quota,
    verdict,
  }: { closing: AbortSignal; failures: Set<string>; quota: ModelQuota | null; verdict: Verdict },
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
    sent: null,
  };
  if (isFlaky(step, failures)) seen.step = { ...step, reply: { kind: 'text', text: 'done at last' } };
  record(seen);
  const isLimit = seen.step.reply.kind === 'limit';
  for (const [name, value] of Object.entries(quotaHeaders(quota, isLimit))) response.setHeader(name, value);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const stop = AbortSignal.any([closing, gone.signal]);
  const pause = async (ms: number) => {
    if (ms > 0) await pauseFor(Math.min(ms, MAX_SLEEP), undefined, { signal: stop });
  };
  try {
    await pause(step.sleep);
    await reply(response, body, { seen, verdict }, pause);
    seen.outcome = 'answered';
  } catch {
    seen.outcome = 'dropped';
    response.destroy();
  }
}

async function reply(
  response: ServerResponse,
  body: MessagesBody,
  { seen, verdict }: { seen: ModelRequest; verdict: Verdict },
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  const { step } = seen;
  if (step.reply.kind === 'limit') return send(response, 429, errorBody(429));
  if (step.reply.kind === 'fail') return send(response, step.reply.status, errorBody(step.reply.status));
  const model = body.model ?? 'claude-story';
  const tokens = step.tokens ?? size(body);
  if (body.stream !== true) {
    const text = step.reply.kind === 'text' ? step.reply.text : 'done';
    const message = wholeMessage(text, model, tokens);
    noteSent(seen, { type: 'message_start', message });
    return send(response, 200, message);
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const isChecked = body.safeguards?.some(({ type }) => type === 'dangerous_tool_use') ?? false;
  const about = { model, tokens, verdict: isChecked ? verdict : undefined };
  for await (const event of eventsOf(step.reply, about, pause)) {
    noteSent(seen, event);
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

/** The headers by which a subscription learns of its quota, as the real API sends them. */
function quotaHeaders(quota: ModelQuota | null, isUsedUp: boolean): Record<string, string> {
  if (!quota) return {};
  const status = isUsedUp ? 'rejected' : 'allowed';
  const week = String(quota.resetsAt + 6 * 86_400);
  const fields = {
    status,
    reset: String(quota.resetsAt),
    'representative-claim': 'five_hour',
    'fallback-percentage': '0.5',
    'overage-status': 'rejected',
    'overage-disabled-reason': 'org_level_disabled',
    '5h-status': status,
    '5h-utilization': String(isUsedUp ? 1 : quota.percent / 100),
    '5h-reset': String(quota.resetsAt),
    '7d-status': 'allowed',
    '7d-utilization': '0.12',
    '7d-reset': week,
  };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`anthropic-ratelimit-unified-${name}`, value]),
  );
}

/** Stores what the answer reports about itself; the last figures count. */
function noteSent(seen: ModelRequest, { type, message, usage }: ApiEvent): void {
  if (type === 'message_start') {
    const { id, usage: first } = message as { id: string; usage: Figures };
    seen.sent = { id, input: first.input_tokens, output: first.output_tokens };
  }
  if (type === 'message_delta' && seen.sent) seen.sent.output = (usage as Figures).output_tokens;
}

interface Figures {
  input_tokens: number;
  output_tokens: number;
}

/** Whether a step that fails only once has failed before. */
function isFlaky({ reply }: Step, failures: Set<string>): boolean {
  if (reply.kind !== 'fail' || reply.once === undefined) return false;
  if (failures.has(reply.once)) return true;
  failures.add(reply.once);
  return false;
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
