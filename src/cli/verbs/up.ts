/** `drover up`: starts the daemon in the background or in this terminal. */
import { rmSync, writeFileSync } from 'node:fs';
import { readyDaemon } from '../../client/running.ts';
import { replaceOlder, startDaemon } from '../../client/start.ts';
import { DroverError } from '../../contract/error.ts';
import { build } from '../../version.ts';
import { prepareHome } from '../../files/prepare-home.ts';
import { startProgress } from '../output/start-progress.ts';
import { type Call, flag, list, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> =>
  flag(call, 'foreground') ? foreground(call) : background(call);

const background = async (call: Call): Promise<number> => {
  const lost = ['host', 'behind-tls', 'i-understand', 'allow-host'].find(
    name => call.options[name] !== undefined,
  );
  if (lost)
    throw new DroverError(
      'usage',
      `--${lost} needs --foreground, because a later automatic start would not use it.`,
      lost === 'allow-host' ? 'Or set `allowHosts` in config.json.' : undefined,
    );
  const { paths, env } = call;
  const progress = startProgress(call);
  try {
    const before = await readyDaemon(paths, progress.show);
    // A hook that runs this command has marked a start. If a daemon already runs, nothing is starting.
    if (before) (await import('../../daemon/home-lock.ts')).removeStarting(paths);
    // An invalid config must not stop the running daemon.
    if (before && before.version !== build) (await import('../../daemon/config.ts')).readConfig(paths.config);
    const replaced = before && (await replaceOlder(paths, env, before, progress.show));
    const status =
      replaced ?? before ?? (await startDaemon(paths, env, checkedPort(text(call, 'port')), progress.show));
    progress.end();
    const word = replaced ? `Replaced version ${before?.version}` : before ? 'Already running' : 'Running';
    if (flag(call, 'json')) call.out(JSON.stringify(status));
    else call.out(`${word}: ${status.url} (pid ${status.pid})`);
    return 0;
  } finally {
    progress.end();
  }
};

const foreground = async (call: Call): Promise<number> => {
  const [{ readConfig }, { runDaemon }, { greeting }] = await Promise.all([
    import('../../daemon/config.ts'),
    import('../../daemon/run.ts'),
    import('../output/greeting.ts'),
  ]);
  const { paths, env } = call;
  prepareHome(paths);
  const config = readConfig(paths.config);
  const wanted = Number(checkedPort(text(call, 'port') ?? (env.DROVER_PORT || undefined)) ?? config.port);
  const stopped = new Promise<string>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => resolve(signal));
  });
  const host = checkedHost(call);
  const start = new AbortController();
  void stopped.then(() => start.abort());
  const allowHosts = list(call, 'allow-host');
  const daemon = await runDaemon(paths, env, config, wanted, {
    host,
    allowHosts,
    signal: start.signal,
  }).catch((error: unknown) => {
    if (start.signal.aborted) return null;
    throw error;
  });
  if (!daemon) {
    if (!flag(call, 'json')) call.out('Stopped');
    return 0;
  }
  try {
    if (config.autostart) writeFileSync(paths.autostart, '', { mode: 0o600 });
    else rmSync(paths.autostart, { force: true });
    if (flag(call, 'json')) call.out(JSON.stringify({ url: daemon.url, pid: process.pid }));
    else for (const line of await greeting(call, daemon, wanted, config.claude)) call.out(line);
    await stopped;
  } finally {
    await daemon.stop();
  }
  if (!flag(call, 'json')) call.out('Stopped');
  return 0;
};

/** Requires a confirmation for any other address than loopback: tokens and prompts are sent unencrypted. */
const checkedHost = (call: Call): string => {
  const host = text(call, 'host') ?? '127.0.0.1';
  const near = host === '::1' || host === 'localhost' || host.startsWith('127.');
  if (!near && !flag(call, 'behind-tls') && !flag(call, 'i-understand'))
    throw new DroverError(
      'usage',
      `--host ${host} is reachable from other machines, and Drover does not support TLS.`,
      'Put a TLS proxy in front and add --behind-tls, or accept unencrypted traffic with --i-understand.',
    );
  return host;
};

const checkedPort = (port: string | undefined): string | undefined => {
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) < 65_536))
    throw new DroverError(
      'usage',
      `${JSON.stringify(port)} is not a port.`,
      'Use a number from 0 (any free port) to 65535.',
    );
  return port;
};
