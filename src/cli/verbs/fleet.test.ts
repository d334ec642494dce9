import { expect, test } from 'vitest';
import { pathsAt } from '../../paths.ts';
import { fleetVerb } from '../table/fleet.ts';
import type { Call } from '../verb.ts';
import { run } from './fleet.ts';

const running = (args: string[], options: Call['options']) =>
  run({
    verb: fleetVerb,
    args,
    options,
    rest: [],
    env: {},
    paths: pathsAt('/nonexistent'),
    cwd: '/',
    tty: false,
    out: () => {},
    err: () => {},
  } as unknown as Call);

test.each<[string, string[], Call['options'], string]>([
  ['join', ['-'], { rights: 'none' }, '--rights is an option of add, token'],
  ['token', [], { accept: 'none' }, '--accept is an option of join'],
  ['init', [], { role: 'seat' }, '--role is an option of add, token'],
  ['accept', ['laptop'], { rights: 'none' }, '--rights is an option of add, token'],
  ['ls', [], { url: 'tls://a' }, '--url is an option of init'],
  ['init', [], { replicas: '3' }, '--replicas needs --url'],
  ['init', [], { 'ssh-option': ['Port=2'] }, '--ssh-option needs --on'],
])('`fleet %s` refuses an option that it would ignore', async (action, args, options, message) => {
  await expect(running([action, ...args], options)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(message),
  });
});
