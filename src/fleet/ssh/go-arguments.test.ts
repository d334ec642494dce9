import { expect, test } from 'vitest';
import { sshArguments } from './go-arguments.ts';

const place = {
  destination: 'me@devbox',
  options: ['-p', '2222'],
  node: '/home/me/.nvm/v20/bin/node',
  main: '/home/me/it works/main.js',
  home: null,
};
const id = '4dd74d42-0000-4000-8000-000000000001';

test('the command is one line for the remote shell, made of checked parts', () => {
  expect(sshArguments(place, id)).toEqual([
    '-t',
    '-p',
    '2222',
    '--',
    'me@devbox',
    `'/home/me/.nvm/v20/bin/node' '/home/me/it works/main.js' go ${id} --attach`,
  ]);
  expect(sshArguments({ ...place, home: '/srv/drover' }, id).at(-1)).toMatch(
    /^env DROVER_HOME='\/srv\/drover' '\/home/,
  );
  // Without options, `--` still stands before the destination.
  expect(sshArguments({ ...place, options: [] }, id).slice(0, -1)).toEqual(['-t', '--', 'me@devbox']);
});

test.each(['', 'a;id', 'a b', '$(id)', '-a\n', "a'", 'a@b'])('the id %j is refused', bad => {
  expect(() => sshArguments(place, bad)).toThrow('is not a session id');
});

test.each([
  { destination: '-oProxyCommand=id' },
  { destination: 'a b' },
  { destination: 'a;id' },
  { node: "/bin/node'; id; '" },
  { node: 'node' },
  { main: '/a\nb' },
  { main: '/a$(id)' },
  { home: '/a`id`' },
])('%j is refused', change => {
  expect(() => sshArguments({ ...place, ...change }, id)).toThrow(/is not (?:a path|an SSH destination)/);
});
