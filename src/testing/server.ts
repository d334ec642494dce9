/** The daemon behind its real listeners on loopback, without the machine around it: no tmux, no CLI, no files of Claude. */
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createParser } from 'eventsource-parser';
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../clock.ts';
import type { ErrorCode } from '../contract/error.ts';
import { errorsOf, type Route, routes } from '../contract/routes.ts';
import { assemble } from '../daemon/assemble.ts';
import type { Part } from '../daemon/part.ts';
import type { TmuxPart } from '../daemon/parts/tmux.ts';
import type { Peers } from '../fleet/peers.ts';
import type { DrivePolicy } from '../hub/drive-policy.ts';
import type { Streams } from '../live/streams.ts';
import { writePrivate } from '../files/private-file.ts';
import { createApp } from '../server/app.ts';
import type { HostDispatch } from '../server/fleet/host-calls.ts';
import { openPipeline, type Pipeline } from './pipeline.ts';

export interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  json: () => unknown;
}

export interface Frame {
  event: string;
  data: string;
  id: string | undefined;
}

export interface TestServer extends Pipeline {
  port: number;
  streams: Streams;
  /** The parts of the daemon, which are not started. */
  parts: readonly Part[];
  /** A call of another host. */
  ofHosts: HostDispatch;
  /** A request with the token, unless `headers` say otherwise. */
  ask: (
    method: string,
    path: string,
    body?: string | Buffer,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
  /** The same over the Unix socket, as the user's own commands send it. */
  askLocal: TestServer['ask'];
  follow: (path: string, headers?: Record<string, string>) => Promise<Stream>;
}

export interface Stream {
  frames: Frame[];
  /** Awaits a frame that fits, also one that came before. */
  next: (fits: (frame: Frame) => boolean) => Promise<Frame>;
  ended: Promise<void>;
  response: IncomingMessage;
}

export const token = 'test-token-0123456789abcdef';

/** No tmux: panes show nothing, and no client is moved. */
const noTmux: TmuxPart = {
  onFleet: () => {},
  name: 'no tmux',
  onCommit: () => {},
  seen: () => {},
  preview: () => Promise.resolve(null),
  go: () => Promise.resolve({ client: null, clients: [] }),
  forget: () => {},
};

export const openTestServer = async (
  pipeline?: Pipeline,
  clock: Clock = systemClock,
  drive: DrivePolicy['mode'] = 'managed',
  peers?: Peers,
): Promise<TestServer> => {
  const inner = pipeline ?? (await openPipeline());
  const { core, ingest, paths } = inner;
  writePrivate(paths.token, `${token}\n`);
  const address = { port: 0, url: null };
  const app = createApp({ onError: core.log.error, clock, progress: () => 1, onStop: () => {} });
  const { serve, streams, parts, ofHosts } = assemble(
    { ...core, clock, config: { ...core.config, drive, approvals: 'terminal' } },
    {
      app,
      address,
      onStop: () => {},
      onHomeReplaced: () => {},
      ingest,
      tmux: noTmux,
      sources: { name: 'no sources', catchUp: () => ingest.receive.scan(), onCommit: () => {} },
      // Nothing is started here, whatever the machine has.
      findCli: () => Promise.resolve(null),
      pageFolder: join(paths.home, 'web'),
      ...(peers && { peers }),
    },
  );
  serve();
  await new Promise<void>(done => app.tcp.listen(0, '127.0.0.1', done));
  const { port } = app.tcp.address() as AddressInfo;
  address.port = port;
  // A home may have two servers, one after the other.
  const localSocket = join(paths.home, `${port}.sock`);
  await new Promise<void>(done => app.local.listen(localSocket, done));
  onTestFinished(() => {
    streams.close();
    for (const server of [app.tcp, app.local]) {
      server.closeAllConnections();
      server.close();
    }
  });
  const send = (
    where: { host: string; port: number } | { socketPath: string },
    method: string,
    path: string,
    body: string | Buffer | undefined,
    headers: Record<string, string>,
  ) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
      request({ ...where, method, path, headers: sent, agent: false }, resolve)
        .on('error', reject)
        .end(body);
    });
  const open = (method: string, path: string, body?: string | Buffer, headers: Record<string, string> = {}) =>
    send({ host: '127.0.0.1', port }, method, path, body, { Authorization: `Bearer ${token}`, ...headers });
  return {
    ...inner,
    port,
    streams,
    parts,
    ofHosts,
    ask: async (method, path, body, headers) =>
      answerOf(method, path, await open(method, path, body, headers)),
    askLocal: async (method, path, body, headers = {}) =>
      answerOf(method, path, await send({ socketPath: localSocket }, method, path, body, headers)),
    follow: async (path, headers) => read(await open('GET', path, undefined, headers)),
  };
};

const answerOf = async (method: string, path: string, response: IncomingMessage): Promise<Answer> => {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  if ((response.statusCode ?? 0) >= 400) checkDeclared(method, path, text);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    json: () => JSON.parse(text) as unknown,
  };
};

/** A route answers with no error that its row in the table does not name. */
const checkDeclared = (method: string, path: string, text: string): void => {
  const { code } = (JSON.parse(text) as { error: { code: ErrorCode } }).error;
  if (code === 'not_found' || code === 'method' || code === 'internal') return;
  const [bare = ''] = path.split('?');
  const pattern = ({ path }: Route) => new RegExp(`^${path.replace(':id', '[^/]+')}$`);
  const route = (routes as readonly Route[]).find(one => one.method === method && pattern(one).test(bare));
  if (route && !errorsOf(route).includes(code))
    throw new Error(`${route.id} answered ${code}: it is not in its row`);
};

const read = (response: IncomingMessage): Stream => {
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  const parser = createParser({
    onEvent: ({ event, data, id }) => {
      frames.push({ event: event ?? 'message', data, id });
      for (const look of waiting) look();
    },
  });
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => parser.feed(chunk));
  const ended = new Promise<void>(done => response.on('close', done));
  return {
    frames,
    ended,
    response,
    next: fits =>
      new Promise(resolve => {
        const look = () => {
          const found = frames.find(fits);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
  };
};
