/** What `drover setup --tmux` does to a user's tmux.conf and servers, and that all of it can be undone. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newest } from '../rig/cli.ts';
import { world } from '../rig/story.ts';
import { readOption } from '../rig/terminal.ts';
import type { World } from '../rig/world.ts';

const version = newest;

const custom = `# mine: ünïcode
set -g prefix C-a
unbind C-b
set -g status-right '#[fg=cyan]#(date +%%j) #{?client_prefix,P,} "%H:%M"'
set -g status-right-length 77
setw -g window-status-format ' #I:#W '
setw -g window-status-current-format ' [#I:#W] '
setw -g pane-border-status bottom
setw -g pane-border-format ' #P "#{pane_title}" '
bind -N 'to the last one' Tab last-window
bind-key S choose-tree -s
if-shell 'true' { set -g mouse on }`;

/** Everything that a server shows or binds. */
const dump = async (opened: World): Promise<string> =>
  (
    await Promise.all(
      [
        ['show-options', '-g'],
        ['show-options', '-gw'],
        ['show-options', '-s'],
        ['list-keys', '-T', 'prefix'],
      ].map(args => opened.tmux(args)),
    )
  ).join('\n');

test.each([
  ['a fresh user without tmux.conf', null, '.tmux.conf'],
  ['an empty one', '', '.tmux.conf'],
  ['a heavily customised one, without a last line break', custom, '.tmux.conf'],
  ['one in the XDG folder', `${custom}\n`, '.config/tmux/tmux.conf'],
])('%s: ten setups and a remove restore the file and the server', async (_, text, name) => {
  const opened = await world({ version });
  const file = join(opened.home, name);
  if (text !== null) {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
  }
  await opened.tmux(['new-session', '-d', '-s', 'main', 'sh']);
  if (text) await opened.tmux(['source-file', file]);
  const before = await dump(opened);
  const diff = await opened.drover('setup', '--tmux', '--dry-run');
  expect([
    diff.code,
    (await dump(opened)) === before,
    existsSync(join(opened.droverHome, 'tmux.conf')),
  ]).toEqual([0, true, false]);
  expect(diff.stdout).toContain('+source-file -q ');

  const once = await opened.drover('setup', '--tmux');
  expect([once.code, once.stderr]).toEqual([0, '']);
  const [shown, written] = [await dump(opened), readFileSync(file, 'utf8')];
  expect(shown).toContain('#{E:@drover_segment}');
  for (let n = 0; n < 9; n++) expect((await opened.drover('setup', '--tmux')).code).toBe(0);
  expect([await dump(opened), readFileSync(file, 'utf8')]).toEqual([shown, written]);

  const bound = await opened.tmux(['list-keys', '-T', 'prefix']);
  if (text) {
    expect(once.stdout).toContain('prefix Tab is already bound (last-window), so `next` has no key');
    expect(bound).toMatch(/prefix +Tab +last-window/);
    expect(bound).toMatch(/prefix +S +choose-tree/);
    expect(shown).toContain('date +%%j) #{?client_prefix,P,}');
    expect(shown).toContain('pane-border-status bottom');
  } else expect(bound).toMatch(/prefix +Tab +.*@drover_/);
  expect(bound).toMatch(/prefix +g +.*display-popup/);
  expect(bound).toMatch(/prefix +A +.*display-popup.* panel/);

  // A file of an earlier version has no key for the panel; the next setup adds it.
  const conf = join(opened.droverHome, 'tmux.conf');
  writeFileSync(conf, readFileSync(conf, 'utf8').replace(/^bind-key -N "Drover: answer".*\n/m, ''));
  await opened.tmux(['unbind-key', 'A']);
  expect(await dump(opened)).not.toBe(shown);
  expect((await opened.drover('setup', '--tmux')).code).toBe(0);
  expect(await dump(opened)).toBe(shown);

  // A new server reads the line.
  const fresh = ['-u', '-S', join(opened.root, 'n'), '-f', file];
  const started = await opened.run('tmux', [...fresh, 'new-session', '-d', 'sh']);
  expect([started.code, started.stderr]).toEqual([0, '']);
  const loaded = await opened.run('tmux', [...fresh, 'show-options', '-sv', '@drover_conf']);
  expect(loaded.stdout).toBe('1\n');
  await opened.run('tmux', [...fresh, 'kill-server']);

  expect((await opened.drover('setup', '--tmux', '--remove')).code).toBe(0);
  expect(await dump(opened)).toBe(before);
  expect(existsSync(file) ? readFileSync(file, 'utf8') : null).toBe(text);
  expect(existsSync(join(opened.droverHome, 'tmux.conf'))).toBe(false);
});

test('keys are configurable; a plugin manager loads it without touching tmux.conf; an old tmux gets a clear error', async () => {
  const opened = await world({ version });
  writeFileSync(
    join(opened.droverHome, 'config.json'),
    JSON.stringify({ tmux: { keys: { next: 'n', skip: null }, border: false } }),
  );
  await opened.tmux(['new-session', '-d', '-s', 'main', 'sh']);
  const serverPid = (await opened.tmux(['display-message', '-p', '#{pid}'])).trim();
  const bin = join(opened.root, 'bin', 'drover');
  writeFileSync(
    bin,
    `#!/bin/sh\nexec '${process.execPath}' '${new URL('../../dist/main.js', import.meta.url).pathname}' "$@"\n`,
  );
  chmodSync(bin, 0o755);
  const entry = new URL('../../drover.tmux', import.meta.url).pathname;
  const ran = await opened.run(entry, [], { env: { TMUX: `${opened.socket},${serverPid},0` } });
  expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await readOption(opened, '@drover_conf')).toBe('1');
  expect(existsSync(join(opened.home, '.tmux.conf'))).toBe(false);
  const bound = await opened.tmux(['list-keys', '-T', 'prefix']);
  // prefix n is tmux's own next-window: no existing binding is replaced, not even that.
  expect(bound).toMatch(/prefix +n +next-window/);
  expect(bound).not.toMatch(/prefix +S .*@drover_/);
  expect(await opened.tmux(['show-options', '-gwv', 'pane-border-status'])).toBe('off\n');

  writeFileSync(join(opened.root, 'bin', 'tmux'), '#!/bin/sh\necho "tmux 3.1c"\n');
  chmodSync(join(opened.root, 'bin', 'tmux'), 0o755);
  const old = await opened.drover('setup', '--tmux');
  expect([old.code, old.stdout]).toEqual([7, '']);
  expect(old.stderr).toContain('tmux 3.1c is too old.\n  Install tmux 3.2 or newer.');
});
