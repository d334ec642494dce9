import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { SshPlace } from '../membership.ts';
import { asInLoginShell, droverCommand, sshArgs } from './ssh-command.ts';

const target = { destination: 'me@devbox', options: ['-p', '2222'] };

test('the destination comes after --, so it is never an option', () => {
  const args = sshArgs(target, 'true');
  expect(args.slice(0, 2)).toEqual(['-p', '2222']);
  expect(args.slice(-3)).toEqual(['--', 'me@devbox', 'true']);
  expect(args).not.toContain('BatchMode=yes');
});

test('a tunnel leads from loopback there to the broker here, or ssh ends', () => {
  const tunnel = { leads: 'here', there: 4000, here: { address: '::1', port: 5000 } } as const;
  const args = sshArgs(target, 'cat', { tunnel, isUnattended: true });
  expect(args).toEqual(expect.arrayContaining(['ExitOnForwardFailure=yes', 'BatchMode=yes']));
  expect(args[args.indexOf('-R') + 1]).toBe('127.0.0.1:4000:[::1]:5000');
});

test('a tunnel to a broker there listens on loopback here', () => {
  const tunnel = { leads: 'there', there: 4000, here: { address: '127.0.0.1', port: 5000 } } as const;
  const args = sshArgs(target, 'cat', { tunnel, isUnattended: true });
  expect(args).toContain('ExitOnForwardFailure=yes');
  expect(args[args.indexOf('-L') + 1]).toBe('127.0.0.1:5000:127.0.0.1:4000');
  expect(args).not.toContain('-R');
});

test('paths with spaces and quotes reach the program unchanged', () => {
  const place = { node: '/bin/echo', main: "/a b/it's $HOME.js", home: null };
  const line = droverCommand(place, ['fleet', 'join', '-', '$(id)']);
  expect(execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' })).toBe(
    "/a b/it's $HOME.js fleet join - $(id)\n",
  );
});

test('a DROVER_HOME other than the default is passed on', () => {
  const place = { node: '/usr/bin/printenv', main: 'DROVER_HOME', home: "/a 'b'" };
  const line = droverCommand(place, []);
  expect(execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' })).toBe("/a 'b'\n");
});

test('a command in a login shell may contain quotes', () => {
  const line = asInLoginShell(`echo "it's"`);
  const env = { SHELL: '/bin/sh', PATH: '/usr/bin:/bin', HOME: '/nonexistent' };
  expect(execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8', env, stdio: 'pipe' })).toContain("it's\n");
});

test.each(['-oProxyCommand=x', 'a b', 'a;b', '$(id)', '', 'a\nb', '`id`'])('%j is no destination', given => {
  expect(SshPlace.shape.destination.safeParse(given).success).toBe(false);
});
