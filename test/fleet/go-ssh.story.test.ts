/** `drover go`, `drover next` and Enter on the board open a session of another machine, through a real sshd. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import { newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { fleetAt, noFleet } from '../rig/fleet.ts';
import { screenOf } from '../rig/screen.ts';
import { noSshd } from '../rig/sshd.ts';
import { terminalIn } from '../rig/terminal.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

const reason = noFleet ?? noSshd;
if (reason) console.warn(`rig: ${reason}, so the story of going to another host is left out`);

describe.skipIf(reason !== undefined)('over SSH', () => {
  test('a session of another host shows its pane here and takes keys: in a tmux window, in a bare terminal and from the board', {
    timeout: 180_000,
  }, async () => {
    const { laptop, add } = await fleetAt(newest, []);
    const devbox = await add('devbox');
    const seat = await devbox.world.claude({ prompt: 'SAY hello' });
    const { id: there } = await laptop.sees(
      ({ host, reason: why }) => host === 'devbox' && why === 'stopped',
    );
    const id = there.replace(/@devbox$/, '');
    const { world } = laptop;
    const drover = [process.execPath, MAIN];
    const config = join(devbox.world.root, 'ssh', 'config');
    /** The command of ssh, but for the path of drover there. */
    const isGoing = (args: string[]) =>
      expect([args.slice(0, 6), args.length, args.at(-1)?.endsWith(` go ${id} --attach`)]).toEqual([
        ['ssh', '-t', '-F', config, '--', 'devbox'],
        7,
        true,
      ]);
    const noSsh = () =>
      until(
        10_000,
        () => 'ssh has not ended',
        async () => ((await sshToAttach(world)).length === 0 ? true : undefined),
      );
    /** Types a prompt on a screen here; it must reach the session there, and its answer come back. */
    const talks = async (
      here: { press: (...keys: string[]) => Promise<void>; sees: (text: RegExp) => Promise<string> },
      word: string,
    ) => {
      await here.sees(/^❯\s*$/m);
      await here.press(`SAY ${word}`);
      await here.sees(new RegExp(`^❯\\sSAY ${word}`, 'm'));
      await here.press('Enter');
      await devbox.hub.is(id, ({ reason: why, detail }) => why === 'stopped' && detail?.text === word);
      await here.sees(new RegExp(`^● ${word}`, 'm'));
      expect(await seat.screen()).toContain(`● ${word}`);
    };

    // Neither in tmux nor in a terminal, the command is printed.
    const printed = await world.drover('go', there);
    expect(printed.stdout).toMatch(/^ssh -t -F \S+ -- devbox '.* go \S+ --attach'\n$/);
    expect(await sshToAttach(world)).toEqual([]);

    // In tmux, a window of the client runs ssh.
    await world.tmux(['new-session', '-d', '-s', 'desk', '-n', 'shell', 'sh']);
    const terminal = await terminalIn(world, 'desk');
    const inTmux = async (word: string) => {
      await terminal.sees(`${shortId(id)}@devbox*`);
      await talks(terminal, word);
      const window = `desk:${shortId(id)}@devbox`;
      expect(await world.tmux(['capture-pane', '-p', '-t', window])).toContain(`● ${word}`);
      const [going = [], ...others] = await sshToAttach(world);
      isGoing(going);
      expect(others).toEqual([]);
      await world.tmux(['kill-window', '-t', window]);
      await noSsh();
    };
    for (const [word, ...command] of [
      ['one', 'go', there],
      ['two', 'next'],
    ]) {
      await terminal.press([...drover, ...command].join(' '), 'Enter');
      await inTmux(word ?? '');
    }
    await terminal.press([...drover, ''].join(' '), 'Enter');
    await terminal.sees(/(?:done|idle) +\S+ s +devbox/);
    await terminal.press('Enter');
    await inTmux('three');
    await world.tmux(['kill-server']);

    // Outside tmux, ssh has the terminal until the person detaches there.
    const bare = await screenOf(world, [
      'sh',
      '-c',
      '"$@"; echo "exit $?"; exec cat',
      'sh',
      ...drover,
      'go',
      there,
    ]);
    await talks(bare, 'four');
    const [going = []] = await sshToAttach(world);
    isGoing(going);
    await bare.press('C-b');
    await bare.press('d');
    await bare.sees('exit 0');
    await noSsh();

    const board = await screenOf(world, drover, { rows: 30 });
    await board.sees(/(?:done|idle) +\S+ s +devbox/);
    await board.press('Enter');
    await talks(board, 'five');
    await board.press('C-b');
    await board.press('d');
    // The board again.
    await board.sees(/(?:done|idle) +\S+ s +devbox/);
    await noSsh();
    await board.press('q');
  });
});

/** The command lines of ssh in this world, without the tunnel's. */
const sshToAttach = async (world: World): Promise<string[][]> => {
  const lines = await Promise.all(
    (await world.processes()).map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  const commands = lines.map(line => line.split('\0').slice(0, -1));
  return commands.filter(([name, option]) => name === 'ssh' && option === '-t');
};
