/** `drover fleet init`: makes a fleet with this machine as its admin. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { ensureDaemon } from '../../client/start.ts';
import { DroverError } from '../../contract/error.ts';
import { type FleetStatus, HostName } from '../../contract/fleet.ts';
import { ownMachine, ownName } from '../../fleet/enrol/host-name.ts';
import { initOnOther, initWithBroker, type OtherBroker } from '../../fleet/enrol/init.ts';
import { hasJoined, type Login, type Membership } from '../../fleet/membership.ts';
import { refuseInside } from '../refuse-inside.ts';
import { type Call, flag, text } from '../verb.ts';
import { initOn } from './init-on.ts';
import { reloadAndConnect } from './reload.ts';
import { targetFrom } from './ssh-target.ts';

export const run = async (call: Call): Promise<number> => {
  refuseInside(call);
  const name = nameFrom(call);
  const made = await make(call, name);
  if (!made) return 1;
  const { membership, status } = made;
  if (flag(call, 'json')) {
    call.out(JSON.stringify(status));
    return 0;
  }
  const { broker, servers, fleet } = membership;
  const on = broker?.on?.destination;
  const version = `nats-server ${status.brokerVersion}`;
  call.out(`Made the fleet ${fleet} with ${name} as its admin.`);
  if (on !== undefined)
    call.out(
      `The broker (${version}) runs on ${on}. This machine connects to it at ${servers.join(', ')}, through SSH.`,
    );
  else
    call.out(
      broker
        ? `A broker (${version}) runs here, at ${broker.listen}:${broker.port}. Its data is in ${call.paths.fleetBroker}.`
        : `Connected to ${servers.join(', ')} (${version}).`,
    );
  if (on !== undefined) call.out(`Next: drover fleet add ${on}   also enrols it, to list its sessions`);
  call.out(`${on === undefined ? 'Next:' : '     '} drover fleet add user@host   enrols a machine over SSH`);
  call.out('      drover fleet token           makes a token for `drover fleet join` there');
  return 0;
};

/** Returns null if the person declined. */
const make = async (
  call: Call,
  name: string,
): Promise<{ membership: Membership; status: FleetStatus } | null> => {
  const { paths, env } = call;
  const url = text(call, 'url');
  const on = text(call, 'on');
  const port = portFrom(text(call, 'port'));
  if (on !== undefined) refuseBeside(call, 'on', ['url', 'listen', 'creds', 'ca', 'replicas']);
  if (url === undefined) refuseWithout(call, 'url', ['creds', 'ca', 'replicas']);
  if (on === undefined) refuseWithout(call, 'on', ['ssh-option', 'ssh-config']);
  const target = on === undefined ? null : targetFrom(call, on, null);
  if (hasJoined(paths)) throw new DroverError('already_joined');
  // Creates DROVER_HOME, and fails before anything else is created.
  await ensureDaemon(paths, env);
  if (target) return initOn(call, target, name, port);
  const other = url === undefined ? null : otherBroker(call, url);
  if (other && !flag(call, 'json')) call.out(`Connecting to ${other.servers.join(', ')} …`);
  const membership = other
    ? await initOnOther(paths, name, other)
    : await initWithBroker(paths, name, { listen: listenFrom(call), port }, env);
  return { membership, status: await reloadAndConnect(call) };
};

const refuseBeside = (call: Call, option: string, others: string[]): void => {
  const lost = others.find(name => text(call, name) !== undefined);
  if (lost) throw new DroverError('usage', `--${lost} cannot be combined with --${option}.`);
};

const refuseWithout = ({ options }: Call, option: string, others: string[]): void => {
  const lost = others.find(name => options[name] !== undefined);
  if (lost) throw new DroverError('usage', `--${lost} needs --${option}.`);
};

/** The name of this machine in the fleet. */
export const nameFrom = (call: Call): string => checkedName(text(call, 'name') ?? ownName());

export const checkedName = (name: string): string => {
  if (name === ownMachine)
    throw new DroverError(
      'usage',
      `A host cannot be called ${name}: \`host:${name}\` means this machine.`,
      'Choose another name with --name.',
    );
  if (HostName.safeParse(name).success) return name;
  throw new DroverError(
    'usage',
    `${JSON.stringify(name)} is not a valid host name.`,
    'Use letters, digits, dots, dashes and underscores.',
  );
};

const listenFrom = (call: Call): string => {
  const listen = text(call, 'listen') ?? '127.0.0.1';
  if (isIP(listen)) return listen;
  throw new DroverError('usage', `--listen needs an IP address, not ${JSON.stringify(listen)}.`);
};

export const portFrom = (given: string | undefined): number | null => {
  if (given === undefined) return null;
  const port = Number(given);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new DroverError('usage', `${JSON.stringify(given)} is not a port.`);
};

const otherBroker = (call: Call, given: string): OtherBroker => {
  const lost = ['listen', 'port'].find(name => text(call, name) !== undefined);
  if (lost)
    throw new DroverError('usage', `--${lost} cannot be combined with --url: no broker is started here.`);
  const urls = given.split(',').map(urlFrom);
  const replicas = Number(text(call, 'replicas') ?? 1);
  if (!Number.isInteger(replicas) || replicas < 1 || replicas > 5)
    throw new DroverError('usage', '--replicas needs a number from 1 to 5.');
  const ca = text(call, 'ca');
  return {
    servers: urls.map(({ protocol, host }) => `${protocol}//${host}`),
    login: loginFrom(call, urls),
    authorities: ca === undefined ? null : fileText(call, ca),
    replicas,
  };
};

const urlFrom = (text: string): URL => {
  try {
    const url = new URL(text.trim());
    if (['tls:', 'nats:'].includes(url.protocol) && url.hostname) return url;
  } catch {
    /* reported below */
  }
  // The text may hold a password.
  throw new DroverError(
    'usage',
    'drover fleet init: --url needs addresses such as tls://broker.example:4222.',
  );
};

const loginFrom = (call: Call, urls: URL[]): Login => {
  const creds = text(call, 'creds');
  if (creds !== undefined) return { kind: 'creds', text: credentialsIn(call, creds) };
  const named = urls.find(({ username }) => username !== '');
  if (!named) return { kind: 'none' };
  return { kind: 'password', user: decoded(named.username), password: decoded(named.password) };
};

const credentialsIn = (call: Call, file: string): string => {
  const content = fileText(call, file);
  // A token and a key, each between two lines of dashes. The client would report a refused connection.
  if ((content.match(/^-{3,}[^\n]*-{3,}\n.+\n\s*-{3,}[^\n]*-{3,}$/gm) ?? []).length === 2) return content;
  throw new DroverError(
    'usage',
    `${file} is not a credentials file.`,
    '`nsc generate creds` writes one for a user of the broker.',
  );
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new DroverError(
      'usage',
      'drover fleet init: the name or the password in --url is not percent-encoded.',
      'Write % as %25, or give a credentials file with --creds.',
    );
  }
};

const fileText = (call: Call, file: string): string => {
  try {
    return readFileSync(resolve(call.cwd, file), 'utf8');
  } catch (error) {
    throw new DroverError('usage', `${file} cannot be read: ${(error as Error).message}`);
  }
};
