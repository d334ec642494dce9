/** `drover fleet`: several machines with one queue. */
import type { Verb } from '../verb.ts';
import { json } from './json-option.ts';

export const fleetVerb: Verb = {
  name: 'fleet',
  args: 'ls|init|add|token|join|accept|share|revoke|leave|broker [host|token] [rights]',
  summary: 'Show and drive the sessions of several machines as one queue',
  options: {
    name: {
      value: '<name>',
      help: 'init, add, join, token: name of the host in the fleet (default: its hostname)',
    },
    on: {
      value: '<destination>',
      help: 'init: run the broker on this machine, reached over SSH',
    },
    listen: { value: '<address>', help: 'init: IP address the broker listens on (default 127.0.0.1)' },
    port: {
      value: '<port>',
      short: 'p',
      help: 'init: port of the broker (default: a free one); add: SSH port',
    },
    url: {
      value: '<urls>',
      help: 'init: use this broker or cluster instead, e.g. tls://a:4222,tls://b:4222',
    },
    creds: { value: '<file>', help: 'init: credentials file for --url; or give user:password in the URL' },
    ca: {
      value: '<file>',
      help: 'init: CA certificates for --url (default: those of the system)',
    },
    replicas: { value: '<n>', help: 'init: number of copies that the cluster keeps (default 1)' },
    role: {
      value: '<role>',
      choices: ['worker', 'seat'],
      help: 'add, token: a worker is seen and driven (default); a seat also sees and drives others',
    },
    accept: {
      value: '<rights>',
      help: 'join: what the machine that made the token may do here (default: as the token says)',
    },
    rights: {
      value: '<rights>',
      help: 'add, token: what this machine may do on the new one: read,queue (default), answer, drive, none',
    },
    'ssh-option': {
      value: '<option>',
      short: 'o',
      repeatable: true,
      help: 'init --on, add: option for ssh, as in ssh_config',
    },
    'ssh-config': { value: '<file>', short: 'F', help: 'init --on, add: configuration file for ssh' },
    yes: { short: 'y', help: 'init --on, add, leave, broker remove: do not ask' },
    json,
  },
  details: `Each machine keeps its own daemon, log and queue, and works without the others. A broker (nats-server) carries
the states of sessions. Requests, prompts and screens are fetched from their machine when you view them.

  drover fleet init                make a fleet; starts a broker here, for this machine only
  drover fleet init --on me@devbox
                                   make one whose broker runs on that machine
  drover fleet add me@devbox       enrol a machine over SSH; shows its plan and asks
  drover fleet token               make a token that lets one machine join, within an hour
  drover fleet join -              on the other machine; paste the token
  drover fleet ls                  hosts, whether they are online, and what they may do here
  drover fleet accept laptop read,queue,answer,drive
                                   what laptop may do here; none for nothing
  drover fleet share states        keep titles and branches here; share all publishes them again
  drover fleet revoke devbox       remove a host and its sessions from the fleet
  drover fleet leave               take this machine out, and delete its keys
  drover fleet broker status       show the broker; also start and stop
  drover fleet broker remove       remove a broker that \`init --on\` made here

By default a host lets seats read and queue. \`drover fleet accept\` also lets a seat answer requests or drive sessions.`,
  load: () => import('../verbs/fleet.ts'),
};
