/**
 * A real sshd, on loopback or in the world's own network, that leads into a world: whoever signs in gets the home and an almost
 * empty environment of that world, as on another machine. Its login shell, and only that, finds drover.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { appendFile, chmod, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../../src/fleet/broker/broker-process.ts';
import { quote } from '../../src/quote.ts';
import { MAIN } from './drover.ts';
import { run } from './run.ts';
import { until } from './within.ts';
import type { World } from './world.ts';

/** Debian installs it where the PATH of a user does not look. */
const sshdPath = ['/usr/sbin/sshd', '/usr/local/sbin/sshd'].find(file => existsSync(file));

/** Why stories over SSH cannot run here; undefined where they can. With CI set they run, and fail. */
export const noSshd = sshdPath === undefined && !process.env.CI ? 'sshd is not installed' : undefined;

export interface Sshd {
  /** The destination, as in `ssh devbox`. */
  destination: string;
  /** A configuration for the client, which knows the key and the port. */
  config: string;
  /** Ends every connection, and accepts no more until `start`. */
  stop: () => Promise<void>;
  start: () => Promise<void>;
  /** Starts again, with or without permission to forward ports. */
  allowForwarding: (isAllowed: boolean) => Promise<void>;
}

/** Opens an sshd that leads into this world; it ends with the world. */
export const sshdInto = async (world: World, name: string): Promise<Sshd> => {
  const program = sshdPath;
  if (program === undefined) throw new Error('sshd is not installed');
  // Of Debian's sshd as root.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const folder = join(world.root, 'ssh');
  await mkdir(folder, { mode: 0o700 });
  const file = (of: string) => join(folder, of);
  const port = await freePort('127.0.0.1');
  const { address = '127.0.0.1', inside = [] } = world.network ?? {};
  const inWorld = { env: world.env(), cwd: folder };
  for (const key of ['host', 'client'])
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'test', '-f', file(key)], inWorld);
  await run('cp', [file('client.pub'), file('authorized_keys')], inWorld);
  const { stdout: hostKey } = await run('cat', [file('host.pub')], inWorld);
  await writeFile(file('known_hosts'), `[${address}]:${port} ${hostKey}`);
  await writeLoginShell(world);
  const wrapper = file('session.sh');
  await writeFile(wrapper, sessionScript(world));
  await chmod(wrapper, 0o700);
  const settings = (forwarding: 'yes' | 'no'): string =>
    `ListenAddress ${address}
Port ${port}
HostKey ${file('host')}
AuthorizedKeysFile ${file('authorized_keys')}
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin prohibit-password
AllowTcpForwarding ${forwarding}
ForceCommand ${wrapper}
`;
  await writeFile(file('sshd_config'), settings('yes'));
  await writeFile(
    file('config'),
    `Host ${name}
  HostName ${address}
  Port ${port}
  User ${userInfo().username}
  IdentityFile ${file('client')}
  IdentitiesOnly yes
  UserKnownHostsFile ${file('known_hosts')}
  StrictHostKeyChecking yes
`,
  );
  let child: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    let said = '';
    const words = [...inside, program, '-D', '-e', '-f', file('sshd_config')];
    const started = spawn(words[0] ?? program, words.slice(1), {
      env: world.env(),
      cwd: folder,
    });
    child = started;
    started.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
    await until(
      10_000,
      () => `sshd does not listen: ${said}`,
      () => isOpen(port, address),
    );
  };
  const stop = async (): Promise<void> => {
    if (!child) return;
    const ended = new Promise(resolve => child?.once('exit', resolve));
    // Its sessions would outlive it.
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(child.pid)], inWorld);
    child.kill();
    for (const pid of stdout.split('\n').map(Number).filter(Boolean)) endQuietly(pid);
    child = null;
    await ended;
  };
  const allowForwarding = async (isAllowed: boolean): Promise<void> => {
    await stop();
    await writeFile(file('sshd_config'), settings(isAllowed ? 'yes' : 'no'));
    await start();
  };
  world.closing(stop);
  await start();
  return { destination: name, config: file('config'), stop, start, allowForwarding };
};

/** Only an interactive login shell has node and drover on its PATH, and it prints something, as those with nvm do. */
const writeLoginShell = async (world: World): Promise<void> => {
  const bin = join(world.root, 'nvm');
  await mkdir(bin);
  await writeFile(join(bin, 'drover'), `#!/bin/sh\nexec ${quote(process.execPath)} ${quote(MAIN)} "$@"\n`, {
    mode: 0o755,
  });
  await appendFile(
    join(world.home, '.bashrc'),
    `echo 'Welcome to {this} machine'
case $- in *i*) PATH=${quote(`${bin}:${dirname(process.execPath)}`)}:$PATH; export DROVER_HOME=${quote(world.droverHome)};; esac
`,
  );
  await appendFile(join(world.home, '.bash_profile'), '. "$HOME/.bashrc"\n');
};

const sessionScript = (world: World): string => {
  const { TMUX_TMPDIR = '', TMPDIR = '' } = world.env();
  const variables = {
    HOME: world.home,
    PATH: '/usr/bin:/bin',
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    DROVER_PORT: '0',
    TMUX_TMPDIR,
    TMPDIR,
  };
  const set = Object.entries(variables).map(([name, value]) => quote(`${name}=${value}`));
  // With a terminal, sshd sets TERM.
  const words = [...set, '${TERM:+"TERM=$TERM"}'].join(' ');
  return `#!/bin/sh\ncd ${quote(world.home)}\nexec env -i ${words} sh -c "$SSH_ORIGINAL_COMMAND"\n`;
};

const isOpen = (port: number, address: string): Promise<true | undefined> =>
  new Promise(resolve => {
    const socket = connect(port, address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(undefined));
  });

const endQuietly = (pid: number): void => {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It ended by itself.
  }
};
