/** The daemon's life: everything is wired here and nowhere else. */
import { rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { locateCli } from '../claude/find-cli.ts';
import { systemClock } from '../clock.ts';
import { isToken } from '../contract/caller.ts';
import type { Config } from '../contract/config.ts';
import type { Draft } from '../contract/event.ts';
import { Aside } from '../hook/aside.ts';
import { installEmitter, programFile } from '../hook/emitter.ts';
import { Receive } from '../hook/receive.ts';
import { drivePolicy } from '../hub/drive-policy.ts';
import { limits } from '../limits.ts';
import { Audit } from '../live/audit.ts';
import { forget } from '../live/forget.ts';
import { Loop } from '../live/loop.ts';
import { Retention } from '../live/retention.ts';
import { Streams } from '../live/streams.ts';
import type { Env, Paths } from '../paths.ts';
import { Pool } from '../print/pool/pool.ts';
import { isForgotten } from '../resume/find-past.ts';
import { Indexer } from '../resume/indexer.ts';
import { createApp } from '../server/app.ts';
import { auditHandlers } from '../server/handlers/audit.ts';
import { answerHandlers } from '../server/handlers/answer.ts';
import { daemonHandlers } from '../server/handlers/daemon.ts';
import { eventHandlers } from '../server/handlers/events.ts';
import { pageHandlers } from '../server/handlers/page.ts';
import { queueHandlers } from '../server/handlers/queue.ts';
import { hubHandlers } from '../server/handlers/hub.ts';
import { menuHandlers } from '../server/handlers/menu.ts';
import { printHandlers } from '../server/handlers/print.ts';
import { resumeHandlers } from '../server/handlers/resume.ts';
import { sessionHandlers } from '../server/handlers/sessions.ts';
import { wakeHandlers } from '../server/handlers/wakes.ts';
import { tokenHandlers } from '../server/handlers/tokens.ts';
import { Pages } from '../server/pages.ts';
import { redirectFile } from '../redirect-file.ts';
import { Tokens } from '../server/tokens.ts';
import { acts } from '../session/deferral.ts';
import type { Folded } from '../session/memory.ts';
import { queueOf } from '../session/queue.ts';
import type { Budgets } from '../session/timing.ts';
import { removeDamaged } from '../store/damaged.ts';
import { Store } from '../store/store.ts';
import { channelOf } from '../tmux/keys/conf.ts';
import { moveClient } from '../tmux/keys/move-client.ts';
import { PaneOptionStore } from '../tmux/server/pane-option-store.ts';
import type { TmuxPane } from '../tmux/server/panes.ts';
import { previewOf } from '../tmux/server/preview.ts';
import { TmuxView } from '../tmux/view/view.ts';
import { keyAction, keyRequestDraft } from '../tmux/keys/key-request-events.ts';
import { version } from '../version.ts';
import { isAgentOf } from '../wake/registry/is-agent-of.ts';
import { Registry } from '../wake/registry/registry.ts';
import { ancestorsOf } from '../wake/registry/successor.ts';
import { watchApprovers } from './approvers.ts';
import { claudeDirs } from './claude-dirs.ts';
import { addressOf, closeServer, listen, listenLocal } from './listeners.ts';
import { lockHome, removeStarting } from './home-lock.ts';
import { runMaintenance } from './maintenance.ts';
import { catchUnhandled } from './unhandled-errors.ts';
import { openHub } from './hub.ts';
import { DaemonLog } from './log.ts';
import { openNotices } from './notices.ts';
import { pastParts } from './past.ts';
import { redactor } from './redact.ts';
import { prepareHome, register, unregister } from './register.ts';
import { openSources } from './sources.ts';
import { startPart } from './start-part.ts';
import { openWakes } from './wake.ts';

export interface Daemon {
  url: string;
  /** The wanted port was taken, this is another one. */
  moved: boolean;
  sessions: { known: number; live: number };
  stop: () => Promise<void>;
}

/** Starts the daemon in this process; throws `daemon_held` when another one serves this home. */
export const runDaemon = async (
  paths: Paths,
  env: Env,
  config: Config,
  port: number,
  host = '127.0.0.1',
): Promise<Daemon> => {
  prepareHome(paths);
  const lock = await lockHome(paths);
  const clock = systemClock;
  const log = new DaemonLog(paths.logFile, redactor(config.redact), clock.now);
  // What a start that fails half-way leaves behind would go on without its lock.
  const letFail = catchUnhandled(log);
  const undos: (() => void)[] = [() => lock.release(), () => removeStarting(paths), letFail];
  try {
    const startedAt = clock.now();
    const lockInode = statSync(paths.lock).ino;
    const tokens = new Tokens(paths, clock, log.error);
    rmSync(paths.opening, { recursive: true, force: true });
    const pages = new Pages(paths.pages, clock, id =>
      rmSync(redirectFile(paths.opening, id), { force: true }),
    );
    // Remembered: a server that is closing has no address any more, and still serves who is connected.
    let bound = 0;
    const boundPort = () => bound;
    const store = await Store.open(paths.db, log.error);
    undos.push(() => store.close());
    const loop = new Loop(store, clock, log.error, budgetsOf(config));
    const audit = new Audit(loop, store, clock, log.error);
    undos.push(() => loop.close());
    const aside = new Aside(paths.aside);
    const receive = new Receive(paths, loop, aside, clock, log.error);
    const streams = new Streams(loop, store.log);
    const { days, ...shares } = config.retention;
    const retention = new Retention(
      store,
      loop.sessionIndex,
      { age: days * 86_400_000, ...shares },
      clock,
      log.error,
      budgetsOf(config),
    );
    const take = (drafts: Draft[]): void => loop.record(drafts);
    const dirs = claudeDirs(env, config, loop);
    const live = () => loop.sessionIndex.live();
    const queue = () => queueOf(live(), clock.now(), config.order);
    const tmux = new TmuxView(
      {
        live,
        sessionsIn: key => loop.sessionIndex.tenants(key),
        queue,
        now: clock.now,
        onKeyRequest: (request, socket) => {
          const draft = keyRequestDraft(request, socket, queue(), clock.now());
          if (!draft) return;
          take([draft]);
          if (draft.name === acts.skip) void audit.record(keyAction(request, draft));
        },
      },
      channelOf(paths.home),
      paths.home,
    );
    const kept = new PaneOptionStore(
      paths.panes,
      id => loop.sessionIndex.get(id)?.dir ?? null,
      clock.now,
      log.error,
    );
    const seen = (socket: string, panes: TmuxPane[]) => {
      tmux.seen(socket, (panes[0] as TmuxPane).serverPid);
      kept.seen(socket, panes);
    };
    const sources = openSources({ env, loop, log, receive, dirs, take, seen });
    const { catchUp } = sources;
    const awaits = (session: Folded): boolean => wakes.bidirectional.awaits(session);
    const registry = new Registry(paths.config, id => ancestorsOf(loop.sessionIndex.all(), id));
    const drive = drivePolicy(config.drive, session => registry.agentsOf(session).length > 0);
    const hub = openHub({ paths, env, config, loop, store, log, dirs, catchUp, awaits, drive });
    const wakes = openWakes({ paths, env, config, loop, store, log, hub, catchUp, audit, registry, drive });
    const { holds } = hub;
    const notify = openNotices(config, live, take, log);
    const indexer = new Indexer(paths.search, dirs, clock, log.error);
    undos.push(() => indexer.close());
    const past = pastParts({
      paths,
      env,
      config,
      dirs,
      indexer,
      sessionOf: id => loop.sessionIndex.get(id),
      start: (plan, place) => hub.sessions.resume(plan, place),
    });
    loop.listen(({ event, changed }) => {
      indexer.disturb();
      for (const { before, after } of changed) {
        sources.hear(event, before, after);
        notify.hear(before, after);
      }
    });
    loop.listen(commit => tmux.onCommit(commit));
    watchApprovers(env, loop, take, clock);
    const { size, minutes } = config.warm;
    const pool = new Pool({
      size,
      age: minutes * 60_000,
      now: clock.now,
      claude: given => locateCli(given, config.claude)?.path ?? null,
      onError: log.error,
    });
    let stopping = false;
    /** `drover down` and `restart` ask; anything else is a signal. */
    let asked = false;
    let url: string | null = null;
    const app = createApp(
      {
        ...eventHandlers(loop, streams, store.log, aside, clock),
        ...sessionHandlers(loop.sessionIndex, holds, { look: previewOf, go: moveClient }, past.lineage),
        ...resumeHandlers(past.again),
        ...hubHandlers(hub),
        ...printHandlers(pool),
        ...menuHandlers(hub),
        ...answerHandlers(loop.sessionIndex, holds, wakes.bidirectional, hub.drive),
        ...wakeHandlers(wakes.door),
        ...queueHandlers(loop, store, clock, config.order),
        ...pageHandlers({
          folder: join(dirname(programFile()), 'web'),
          pages,
          port: boundPort,
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
          startedAt,
          url: () => url,
          errors: () => log.errors,
          warm: () => ({ ready: pool.ready, size }),
          notify: () => notify.status,
          forget: wish => {
            indexer.forget(isForgotten(wish));
            const forgotten = forget(store, loop.sessionIndex, streams, aside, wish);
            removeDamaged(paths.damaged);
            hub.prune();
            kept.forget(id => loop.sessionIndex.get(id) === undefined);
            return forgotten;
          },
          stop: () => {
            asked = true;
            process.emit('SIGTERM');
          },
        }),
      },
      {
        tokenOf: given => tokens.find(given),
        knows: (cookie, key) => pages.knows(cookie, key),
        port: boundPort,
        inside: {
          isAllowed: config.insideSessions === 'allow',
          isAgentOf: (own, target) => isAgentOf(registry, loop.sessionIndex, own, target),
        },
        allowHosts: config.allowHosts,
      },
      audit,
      log.error,
    );
    undos.push(
      () => streams.close(),
      () => app.tcp.close(),
      () => app.local.close(),
    );
    const moved = await listen(app.tcp, port, host);
    url = addressOf(app.tcp);
    bound = (app.tcp.address() as AddressInfo).port;
    const socket = await listenLocal(app.local, paths, env, log);
    installEmitter(paths);
    register(paths, { pid: process.pid, url, socket, version, startedAt });
    removeStarting(paths);
    const watched = (async () => {
      await receive.start().catch(error => log.error('the spool could not be opened', error));
      // Before the panes are looked at: a dialog that is seen in one must be known for its session's.
      await hub.takeUp().catch(error => log.error('a start could not be taken up', error));
      // What hooks told while the daemon was away came first; files and processes now say what is true.
      const parts = [sources, tmux, notify, hub, wakes];
      for (const part of parts) await startPart(part, () => stopping, log.error);
    })();
    holds.start();
    retention.start();
    await indexer.start();
    const house = setInterval(
      () => runMaintenance(paths, aside, lockInode, () => process.emit('SIGTERM'), log.error),
      limits.daemon.maintenance,
    );
    log.info('up', { url, version, pid: process.pid });

    const stop = async (): Promise<void> => {
      if (!asked && config.onShutdown === 'stop') await hub.stopManaged();
      stopping = true;
      const cold = pool.close();
      for (const part of [wakes, hub, sources, tmux, notify]) part.close();
      retention.close();
      indexer.close();
      clearInterval(house);
      await receive.close();
      await watched;
      await cold;
      streams.close();
      await Promise.all([closeServer(app.tcp), closeServer(app.local)]);
      loop.close();
      unregister(paths);
      store.close();
      lock.release();
      letFail();
      log.info('down');
    };
    return {
      url,
      moved,
      sessions: { known: loop.sessionIndex.all().length, live: loop.sessionIndex.live().length },
      stop,
    };
  } catch (error) {
    log.error('the daemon could not start', error);
    for (const undo of undos.toReversed()) undo();
    throw error;
  }
};

const budgetsOf = ({ stalls }: Config): Budgets => ({
  tool: stalls.toolMinutes * 60_000,
  between: stalls.betweenMinutes * 60_000,
  queue: stalls.queue,
});
