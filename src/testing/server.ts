/** The pipeline behind its real door on loopback, without a daemon around it. */
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createParser } from 'eventsource-parser';
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../clock.ts';
import { isToken } from '../contract/caller.ts';
import type { ErrorCode } from '../contract/error.ts';
import { type Route, routes } from '../contract/routes.ts';
import { Sessions } from '../hub/start/create.ts';
import { Asks } from '../hub/request/ask.ts';
import { Commands } from '../hub/menu/commands.ts';
import { Menus } from '../hub/menu/menu.ts';
import { type DrivePolicy, drivePolicy } from '../hub/drive-policy.ts';
import { setDriven } from '../hub/set-driven.ts';
import { Messages } from '../hub/message/messages.ts';
import { untilReady } from '../hub/start/ready.ts';
import { Receipts } from '../hub/message/receipts.ts';
import { Hands } from '../hub/start/stop.ts';
import { Holds } from '../hub/request/holds.ts';
import { limits } from '../limits.ts';
import { writePrivate } from '../private-file.ts';
import { Audit } from '../live/audit.ts';
import { forget } from '../live/forget.ts';
import { Streams } from '../live/streams.ts';
import { resumeInPane } from '../resume/remote.ts';
import { listTranscripts } from '../resume/transcripts.ts';
import { createApp } from '../server/app.ts';
import { auditHandlers } from '../server/handlers/audit.ts';
import { answerHandlers } from '../server/handlers/answer.ts';
import { daemonHandlers } from '../server/handlers/daemon.ts';
import { eventHandlers } from '../server/handlers/events.ts';
import { hubHandlers } from '../server/handlers/hub.ts';
import { menuHandlers } from '../server/handlers/menu.ts';
import { pageHandlers } from '../server/handlers/page.ts';
import { queueHandlers } from '../server/handlers/queue.ts';
import { printHandlers } from '../server/handlers/print.ts';
import { resumeHandlers } from '../server/handlers/resume.ts';
import { sessionHandlers } from '../server/handlers/sessions.ts';
import { wakeHandlers } from '../server/handlers/wakes.ts';
import { tokenHandlers } from '../server/handlers/tokens.ts';
import { Pages } from '../server/pages.ts';
import { Tokens } from '../server/tokens.ts';
import { isAgentOf } from '../wake/registry/is-agent-of.ts';
import { Registry } from '../wake/registry/registry.ts';
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

export interface Door extends Pipeline {
  port: number;
  streams: Streams;
  /** A request with the token, unless `headers` say otherwise. */
  ask: (
    method: string,
    path: string,
    body?: string | Buffer,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
  /** The same over the Unix socket, as the user's own commands ask. */
  askLocal: Door['ask'];
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

const noPanes = {
  look: () => Promise.resolve(null),
  go: () => Promise.resolve({ client: null, clients: [] }),
};

export const openDoor = async (
  pipeline?: Pipeline,
  clock: Clock = systemClock,
  mode: DrivePolicy['mode'] = 'managed',
): Promise<Door> => {
  const inner = pipeline ?? (await openPipeline());
  const { loop, store, aside, receive, paths, errors } = inner;
  const streams = new Streams(loop, store.log);
  const claudeDirs = [claudeDirOf(inner)];
  const onError = (message: string, error: unknown) => void errors.push(`${message}: ${String(error)}`);
  const holds = new Holds(loop, clock, limits.approvals.hold, () => receive.scan(), onError);
  const drive = drivePolicy(mode, () => false);
  const receipts = new Receipts(loop, store, clock, onError);
  const messages = new Messages(loop, store, receipts, clock, drive, onError);
  const hands = new Hands(loop, clock, () => Promise.resolve());
  const menus = new Menus(loop.sessionIndex, hands, drive, clock);
  const socket = join(paths.home, 'no-tmux');
  const sessions = new Sessions({
    paths,
    env: {},
    loop,
    clock,
    // Nothing is started here, whatever the machine has.
    findCli: () => Promise.resolve(null),
    socket,
    dirs: () => claudeDirs,
    onError,
  });
  const registry = new Registry(paths.config);
  const audit = new Audit(loop, store, clock, onError);
  const pages = new Pages(paths.pages, clock);
  writePrivate(paths.token, `${token}\n`);
  const tokens = new Tokens(paths, clock, onError);
  const app = createApp(
    {
      ...eventHandlers(loop, streams, store.log, aside, clock),
      ...sessionHandlers(loop.sessionIndex, holds, noPanes, {
        forks: () => ({ from: null, into: [] }),
        find: () => null,
      }),
      ...resumeHandlers({
        resume: (prefix, fork) =>
          resumeInPane(
            {
              paths,
              env: {},
              configured: undefined,
              claudeDirs,
              transcripts: listTranscripts(claudeDirs),
              sessionOf: id => loop.sessionIndex.get(id),
              socket,
            },
            prefix,
            fork,
            (plan, place) => sessions.resume(plan, place),
          ),
        index: () => ({ on: false, transcripts: 0, indexed: 0 }),
        setIndex: on => Promise.resolve({ on, transcripts: 0, indexed: 0 }),
      }),
      ...printHandlers({
        claim: () => ({ run: null, why: 'not here' }),
        taken: () => Promise.resolve(false),
      }),
      ...answerHandlers(loop.sessionIndex, holds, { wait: () => Promise.resolve(null) }, drive),
      ...menuHandlers({
        sessionIndex: loop.sessionIndex,
        menus,
        asks: new Asks(loop, holds, menus, clock),
        commands: new Commands(loop, messages, receipts, clock, onError),
      }),
      ...hubHandlers({
        sessionIndex: loop.sessionIndex,
        sessions,
        messages,
        receipts,
        hands,
        ready: id => untilReady(loop, clock, id),
        drive,
        setDriven: (id, on) => setDriven(loop, clock, id, on),
      }),
      ...queueHandlers(loop, store, clock, 'fifo'),
      ...wakeHandlers({
        registry,
        wakes: { waiting: () => ({ pending: 0, withheld: 0 }) },
        table: store.wakes,
        sessionIndex: loop.sessionIndex,
        check: () => Promise.resolve({ checks: [] }),
      }),
      ...pageHandlers({
        folder: join(paths.home, 'web'),
        pages,
        port: () => port,
        rotate: () => tokens.renewOwner(),
        cut: fits => streams.cutOf(fits),
      }),
      ...auditHandlers(store.audit, loop.sessionIndex),
      ...tokenHandlers(tokens, name => streams.cutOf(isToken(name))),
      ...daemonHandlers({
        paths,
        loop,
        streams,
        receive,
        aside,
        store,
        startedAt: Date.now(),
        url: () => null,
        errors: () => errors,
        warm: () => ({ ready: 0, size: 0 }),
        notify: () => ({ on: false, sent: 0, failed: 0, lastAt: null, lastFailure: null }),
        forget: wish => forget(store, loop.sessionIndex, streams, aside, wish),
        stop: () => {},
      }),
    },
    {
      tokenOf: given => tokens.find(given),
      knows: (cookie, key) => pages.knows(cookie, key),
      port: () => port,
      inside: {
        isAllowed: false,
        isAgentOf: (own, target) => isAgentOf(registry, loop.sessionIndex, own, target),
      },
    },
    audit,
    onError,
  );
  await new Promise<void>(done => app.tcp.listen(0, '127.0.0.1', done));
  const { port } = app.tcp.address() as AddressInfo;
  // A home may have two doors, one after the other.
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

/** Claude's folder beside a throw-away home. */
export const claudeDirOf = ({ paths }: Pick<Pipeline, 'paths'>): string => join(paths.home, '..', 'claude');

/** A route answers with no error that its row in the table does not name. */
const checkDeclared = (method: string, path: string, text: string): void => {
  const { code } = (JSON.parse(text) as { error: { code: ErrorCode } }).error;
  if (code === 'not_found' || code === 'method' || code === 'internal') return;
  const [bare = ''] = path.split('?');
  const pattern = ({ path }: Route) => new RegExp(`^${path.replace(':id', '[^/]+')}$`);
  const route = (routes as readonly Route[]).find(one => one.method === method && pattern(one).test(bare));
  if (route && !route.errors.includes(code))
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
