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
      help: "init, add, join, token: the host's name in the fleet (default: its own)",
    },
    on: {
      value: '<destination>',
      help: 'init: run the broker on this machine, reached over SSH',
    },
    listen: { value: '<address>', help: 'init: IP address the broker listens on (default 127.0.0.1)' },
    port: {
      value: '<port>',
      short: 'p',
      help: "init: the broker's port (default: a free one); add: the port of SSH",
    },
    url: {
      value: '<urls>',
      help: 'init: use this broker or cluster instead, e.g. tls://a:4222,tls://b:4222',
    },
    creds: { value: '<file>', help: 'init: credentials file for --url; or give user:password in the URL' },
    ca: {
      value: '<file>',
      help: 'init: certificates of authorities for --url (default: those of the system)',
    },
    replicas: { value: '<n>', help: 'init: copies that the cluster of --url keeps (default 1)' },
    role: {
      value: '<role>',
      choices: ['worker', 'seat'],
      help: 'add, token: worker is seen and driven (default), seat also sees and drives the others',
    },
    accept: {
      value: '<rights>',
      help: 'token, join: what the inviting machine may do on the new one (default read,queue)',
    },
    rights: {
      value: '<rights>',
      help: 'add: what this machine may do there: read,queue (default), answer, drive, none',
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
  details: `Each machine keeps its own daemon, log and queue, and works without the others. A broker (nats-server) carries what the
sessions are doing; requests, prompts and screens are fetched from their machine when somebody looks.

  drover fleet init                make a fleet; starts a broker here, for this machine only
  drover fleet init --on me@devbox
                                   make one whose broker runs on that machine
  drover fleet add me@devbox       enrol a machine over SSH; shows its plan and asks
  drover fleet token               make a token with which one machine can join, within an hour
  drover fleet join -              there: paste the token
  drover fleet ls                  hosts, whether they are online, and what they may do here
  drover fleet accept laptop read,queue,answer,drive
                                   what laptop may do here; none for nothing
  drover fleet share states        publish neither titles nor branches; all for both
  drover fleet revoke devbox       remove a host; its sessions vanish everywhere
  drover fleet leave               take this machine out, and delete its keys
  drover fleet broker status       also start and stop
  drover fleet broker remove       end a broker that \`init --on\` has put here

A host lets seats read and queue. To answer requests or drive sessions, a seat must be named with \`drover fleet accept\`.`,
  load: () => import('../verbs/fleet.ts'),
};
