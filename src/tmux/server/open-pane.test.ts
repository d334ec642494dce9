import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeEnvironmentFile } from '../../files/environment-file.ts';
import { openPane, type Place, thenShell } from './open-pane.ts';
import { tmux } from './run.ts';
import { waitFor } from '../../testing/wait-for.ts';

const setUp = () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'dr-')));
  const socket = join(root, 't', 's');
  onTestFinished(async () => {
    await tmux(socket, ['kill-server']);
    rmSync(root, { recursive: true });
  });
  const env = { PATH: process.env.PATH, HOME: root, SHELL: '/bin/sh', TMUX: 'x', CLAUDECODE: '1' };
  const open = (place: Partial<Place>, dir = root, argv = ['sleep', '60']) =>
    openPane(
      { socket, session: 'work', window: null, ...place },
      dir,
      thenShell(argv, join(root, 'handed.env')),
      env,
    );
  const panes = async () => {
    const format = '#{session_name}:#{window_index}:#{window_name} #{pane_current_path}';
    return (await tmux(socket, ['list-panes', '-a', '-F', format])).stdout.trim().split('\n');
  };
  return { root, socket, open, panes };
};

test('creates sessions, windows and split panes as they were', async () => {
  const { root, open, panes } = setUp();
  await open({ window: { index: 3, name: 'one' } });
  await open({ window: { index: 3, name: 'one' }, beside: true });
  await open({ window: { index: 5, name: 'two' } });
  // The index is taken by another window; there is no window to split.
  await open({ window: { index: 5, name: 'three' } });
  await open({ window: { index: 9, name: 'four' }, beside: true });
  await waitFor(async () =>
    expect(await panes()).toEqual([
      `work:0:three ${root}`,
      `work:3:one ${root}`,
      `work:3:one ${root}`,
      `work:5:two ${root}`,
      `work:9:four ${root}`,
    ]),
  );
});

test('names and directories that look like formats run nothing and stay unchanged', async () => {
  const { root, socket, open, panes } = setUp();
  const bad = `#(touch ${join(root, 'made')})`;
  const dir = join(root, '#(touch made) #{pane_id} $!@#%^&*()');
  mkdirSync(dir);
  await open({ session: 'a#b', window: { index: 0, name: bad } }, dir);
  await open({ session: 'a#b', window: { index: 1, name: 'x#[fg=red]' } }, dir);
  await waitFor(async () => expect((await panes()).filter(line => line.endsWith(dir))).toHaveLength(2));
  expect((await panes())[0]).toContain(`a#b:0:${bad}`);
  await tmux(socket, ['run-shell', 'true']);
  expect(existsSync(join(root, 'made'))).toBe(false);
});

test('a shell follows the program, without variables of the session it was started from', async () => {
  const { open, socket } = setUp();
  const { pane } = await open({}, '/', ['sh', '-c', 'echo "got ${CLAUDECODE:-none} ${1}"', 'sh', "it's"]);
  await waitFor(async () =>
    expect((await tmux(socket, ['capture-pane', '-p', '-t', pane])).stdout).toMatch(/got none it's\s+[$#]/),
  );
});

test('waits for a server that is exiting', async () => {
  const { socket, open } = setUp();
  for (let round = 0; round < 25; round++) {
    await open({});
    // The server exits with its last session, and may drop the next client.
    void tmux(socket, ['kill-session', '-t', '=work']);
    expect(await open({ session: `next-${round}` })).toMatchObject({ pane: expect.stringMatching(/^%/) });
    await tmux(socket, ['kill-server']);
  }
});

test('only the program gets the variables of its file, which is gone when it runs', async () => {
  const { root, open, socket } = setUp();
  const file = join(root, 'handed.env');
  writeEnvironmentFile(file, { HANDED: "a'b $(c)\n2" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { pane } = await open({}, '/', ['sh', '-c', 'test -e "$1" || echo "program: $HANDED"', 'sh', file]);
  await tmux(socket, ['send-keys', '-t', pane, 'echo "shell: ${HANDED:-none}"', 'Enter']);
  await waitFor(async () => {
    const { stdout } = await tmux(socket, ['capture-pane', '-p', '-t', pane]);
    expect(stdout).toContain("program: a'b $(c)\n2");
    // The command may be typed before the prompt of the shell is there.
    expect(stdout).toMatch(/^(?:[$#] )?shell: none$/m);
  });
  const { stdout: start } = await tmux(socket, ['list-panes', '-a', '-F', '#{pane_start_command}']);
  const { stdout: global } = await tmux(socket, ['show-environment', '-g']);
  expect(`${start}${global}`).not.toContain("a'b");
});
