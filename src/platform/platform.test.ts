import { expect, test } from 'vitest';
import { bsd } from './bsd/bsd.ts';
import { linux } from './linux/linux.ts';
import { nodePath } from './node-path.ts';
import { bsdFolders, withProgramFolders } from './program-folders.ts';
import { chooseName } from './system.ts';

test('Linux uses /proc, everything else ps, and DROVER_PLATFORM=bsd too', () => {
  expect(chooseName(undefined, 'linux')).toBe('linux');
  expect(chooseName(undefined, 'darwin')).toBe('bsd');
  expect(chooseName(undefined, 'freebsd')).toBe('bsd');
  expect(chooseName('bsd', 'linux')).toBe('bsd');
  expect(chooseName('linux', 'darwin')).toBe('bsd');
});

test('the short PATH of launchd gets the folders of Homebrew and MacPorts, behind its own', () => {
  const short = '/usr/bin:/bin:/usr/sbin:/sbin';
  expect(withProgramFolders(short, bsdFolders)).toBe(
    `${short}:/opt/homebrew/bin:/usr/local/bin:/opt/local/bin`,
  );
  expect(withProgramFolders('/opt/homebrew/bin:/bin', bsdFolders)).toBe(
    '/opt/homebrew/bin:/bin:/usr/local/bin:/opt/local/bin',
  );
  expect(withProgramFolders(undefined, bsdFolders)).toBe('/opt/homebrew/bin:/usr/local/bin:/opt/local/bin');
  expect(withProgramFolders(undefined, [])).toBe(undefined);
  expect(withProgramFolders('', [])).toBe('');
});

test('the node of Homebrew is named by the link that survives an update', () => {
  const cellar = '/opt/homebrew/Cellar/node@22/22.9.0/bin/node';
  const links = (known: Record<string, string>) => (path: string) => {
    const real = known[path] ?? (path === cellar ? cellar : undefined);
    if (real === undefined) throw new Error('ENOENT');
    return real;
  };
  expect(nodePath(cellar, links({ '/opt/homebrew/opt/node@22/bin/node': cellar }))).toBe(
    '/opt/homebrew/opt/node@22/bin/node',
  );
  expect(nodePath(cellar, links({ '/opt/homebrew/bin/node': cellar }))).toBe('/opt/homebrew/bin/node');
  // The link now leads to another version.
  expect(nodePath(cellar, links({ '/opt/homebrew/bin/node': '/other' }))).toBe(cellar);
  expect(nodePath('/usr/bin/node', links({}))).toBe('/usr/bin/node');
});

test('services: launchd and systemd get the same program and variables, escaped', () => {
  const service = {
    argv: ['/opt/node', '/a & b/main.js', 'up', '--foreground'],
    variables: [['PATH', '/x:/y <z>']] as [string, string][],
  };
  const plist = bsd.desktop.services.text(service);
  expect(plist).toContain('<string>/a &amp; b/main.js</string>');
  expect(plist).toContain('<key>AbandonProcessGroup</key><true/>');
  expect(plist).toContain('<key>PATH</key><string>/x:/y &lt;z&gt;</string>');
  expect(bsd.desktop.services.file({ HOME: '/Users/me' })).toBe(
    '/Users/me/Library/LaunchAgents/drover.plist',
  );
  const unit = linux.desktop.services.text(service);
  expect(unit).toContain('ExecStart="/opt/node" "/a & b/main.js" up --foreground\n');
  expect(unit).toContain('Environment="PATH=/x:/y <z>"\n');
  expect(linux.desktop.services.file({ HOME: '/home/me' })).toBe(
    '/home/me/.config/systemd/user/drover.service',
  );
});

test('a notification passes title and text as arguments, never as script', () => {
  const command = bsd.desktop.notifyCommand('osascript', 'a"b', '-e x', null);
  expect(command.slice(-2)).toEqual(['a"b', '-e x']);
  expect(command[0]).toBe('osascript');
  expect(bsd.desktop.notifyCommand('osascript', '-l x', 'text', null).slice(-2)).toEqual([' -l x', 'text']);
  expect(bsd.desktop.notifyCommand('terminal-notifier', '-open', 'text', 'https://desk.example')).toEqual([
    'terminal-notifier',
    '-title',
    '\\-open',
    '-message',
    'text',
    '-open',
    'https://desk.example',
  ]);
  expect(linux.desktop.notifyCommand('notify-send', '--help', 'a <b>', null)).toEqual([
    'notify-send',
    '--app-name=drover',
    '--',
    '--help',
    'a &lt;b&gt;',
  ]);
});
