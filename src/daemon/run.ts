/** The daemon's life: takes the lock of its home, opens and starts its parts, and stops them in reverse. */
import type { AddressInfo } from 'node:net';
import { systemClock } from '../clock.ts';
import type { Config } from '../contract/config.ts';
import { prepareHome } from '../files/prepare-home.ts';
import { installEmitter } from '../hook/emitter.ts';
import { installMcpScript } from '../hook/mcp-script.ts';
import { updateStatusLine } from '../hook/install/register-status-line.ts';
import { sessionEnvironment } from '../config/passed-variables.ts';
import type { Env, Paths } from '../paths.ts';
import { build } from '../version.ts';
import type { Address } from './address.ts';
import { createApp } from '../server/app.ts';
import { assemble } from './assemble.ts';
import { nextTick, openCore } from './core.ts';
import { lockHome, removeStarting } from './home-lock.ts';
import { LifeCycle } from './life-cycle.ts';
import { addressOf, closeServer, listen, listenLocal } from './listeners.ts';
import { DaemonLog } from './log.ts';
import { redactor } from './redact.ts';
import { register, unregister } from './register.ts';
import { catchUnhandled } from './unhandled-errors.ts';

export interface Daemon {
  url: string;
  /** Whether the wanted port was taken and another one is used. */
  moved: boolean;
  sessions: { known: number; live: number };
  stop: () => Promise<void>;
}

export interface RunOptions {
  host?: string;
  allowHosts?: readonly string[];
  /** Stops the start: reading a large log takes a while. */
  signal?: AbortSignal;
}

/** Starts the daemon in this process; throws `already_running` when another one serves this home. */
export const runDaemon = async (
  paths: Paths,
  env: Env,
  config: Config,
  port: number,
  { host = '127.0.0.1', allowHosts = [], signal }: RunOptions = {},
): Promise<Daemon> => {
  prepareHome(paths);
  const lock = await lockHome(paths);
  const clock = systemClock;
  const log = new DaemonLog(
    paths.logFile,
    redactor(() => config.redact),
    clock.now,
  );
  const stopCatching = catchUnhandled(log);
  // If the start fails half-way, everything that was started must stop before the lock is released.
  const undos: (() => void | Promise<void>)[] = [
    () => lock.release(),
    () => removeStarting(paths),
    stopCatching,
  ];
  try {
    const startedAt = clock.now();
    /** `drover down` and `restart` ask over HTTP; anything else is a signal. */
    let isAsked = false;
    let progress = 0;
    const onStop = () => {
      isAsked = true;
      process.emit('SIGTERM');
    };
    const app = createApp({ onError: log.error, clock, progress: () => progress, onStop });
    undos.push(
      async () => {
        await Promise.all([closeServer(app.tcp), closeServer(app.local)]);
      },
      () => unregister(paths),
    );
    // Before the log is read, which may take a while: whoever asks is told so.
    const moved = await listen(app.tcp, port, host);
    const url = addressOf(app.tcp);
    const address: Address = { url, port: (app.tcp.address() as AddressInfo).port };
    const socket = await listenLocal(app.local, paths, env, log);
    register(paths, { pid: process.pid, url, socket, version: build, startedAt });
    removeStarting(paths);
    const core = await openCore({
      paths,
      env,
      config,
      clock,
      log,
      onProgress: async read => {
        progress = read;
        await nextTick();
        signal?.throwIfAborted();
      },
    });
    undos.push(core.close);
    const { serve, parts, stopManaged } = assemble(core, {
      app,
      address,
      allowHosts,
      onStop,
      onHomeReplaced: () => process.emit('SIGTERM'),
    });
    const lifeCycle = new LifeCycle(parts, log.error);
    undos.push(() => lifeCycle.close());
    await lifeCycle.prepare();
    installEmitter(paths);
    installMcpScript(paths);
    updateStatusLine(paths);
    serve();
    lifeCycle.start();
    // Names only: the values are secrets.
    const passed = Object.keys(sessionEnvironment(env, config.env.pass));
    log.info('up', { url, version: build, pid: process.pid, passed });

    const stop = async (): Promise<void> => {
      if (!isAsked && config.onShutdown === 'stop') await stopManaged();
      await lifeCycle.close();
      await Promise.all([closeServer(app.tcp), closeServer(app.local)]);
      core.loop.close();
      unregister(paths);
      core.store.close();
      lock.release();
      stopCatching();
      log.info('down');
    };
    const { sessionIndex } = core.loop;
    return {
      url,
      moved,
      sessions: { known: sessionIndex.all().length, live: sessionIndex.live().length },
      stop,
    };
  } catch (error) {
    if (!signal?.aborted) log.error('the daemon could not start', error);
    for (const undo of undos.toReversed()) await undo();
    throw error;
  }
};
