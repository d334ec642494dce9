/** The faults: each is done to the running product and undone, and leaves the daemon running again. */
import { appendFileSync, closeSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { subscribe } from '../rig/sse.ts';
import type { Faults } from './faults.ts';

export type Fault = (faults: Faults) => Promise<void>;

export const kinds: Record<string, Fault> = {
  async 'the daemon is killed'(faults) {
    await faults.daemon.kill9();
    await pause(faults.random() * 1_500);
    await faults.up();
  },

  async 'the daemon is stopped'(faults) {
    await faults.daemon.stop();
    await pause(faults.random() * 1_000);
    await faults.up();
  },

  async 'the daemon is killed as it starts'(faults) {
    await faults.daemon.kill9();
    const early = faults.up().catch(() => {});
    await pause(faults.random() * 300);
    await faults.killStarting();
    await early;
    await faults.up();
  },

  async 'a session is killed'(faults) {
    await faults.killOne();
  },

  async 'the real CLI is killed'(faults) {
    // On a busy machine it may have gone with its tmux server a moment ago.
    const pid = await faults.seat.pid().catch(() => null);
    if (pid !== null) process.kill(pid, 'SIGKILL');
    await faults.sit();
  },

  async 'the tmux server is killed'(faults) {
    const { world } = faults;
    const pid = Number((await world.tmux(['display-message', '-p', '#{pid}'])).trim());
    process.kill(pid, 'SIGKILL');
    faults.allKilled();
    await pause(faults.random() * 500);
    await faults.sit();
    await faults.refill();
  },

  async 'the disk is full'(faults) {
    if (!faults.hasSmallDisk) return;
    const ballast = join(faults.world.droverHome, 'ballast');
    faults.emitters.isDiskFull = true;
    const fd = openSync(ballast, 'w');
    for (const size of [1_000_000, 4_096, 1])
      try {
        for (;;) writeSync(fd, Buffer.alloc(size));
      } catch {
        // Full, as far as pieces of this size go.
      }
    await pause(1_000 + faults.random() * 1_000);
    closeSync(fd);
    rmSync(ballast);
    // A hook that began while it was full ends a moment later.
    await pause(500);
    faults.emitters.isDiskFull = false;
    await faults.isUp();
  },

  async 'the clock is stepped'(faults) {
    const hour = 3_600_000;
    const step = [hour, -hour, 60_000, -5_000][Math.floor(faults.random() * 4)] ?? hour;
    writeFileSync(faults.clock, String(step));
    await pause(1_000 + faults.random() * 1_500);
    writeFileSync(faults.clock, '0');
    await pause(300);
  },

  async 'files are damaged'(faults) {
    const { droverHome, home } = faults.world;
    const garbage = Buffer.from(Array.from({ length: 300 }, () => Math.floor(faults.random() * 256)));
    writeFileSync(join(droverHome, 'spool', `${Math.floor(faults.random() * 1e9)}.garbage`), garbage);
    writeFileSync(join(droverHome, 'pages.json'), garbage);
    const sessions = join(home, '.claude', 'sessions');
    writeFileSync(join(sessions, '999999.json'), garbage.subarray(0, 40));
    for (const name of readdirSync(sessions).slice(0, 1))
      if (name !== '999999.json') appendFileSync(join(sessions, name), '{');
    await pause(500);
  },

  async 'the port is flooded'(faults) {
    const { hostname, port } = new URL(faults.daemon.url);
    const sockets: Socket[] = [];
    for (let n = 0; n < 300; n++) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => {});
      if (n % 2) socket.write('POST /event HTTP/1.1\r\nHo');
      sockets.push(socket);
    }
    const { code } = await faults.world.drover('ls');
    const reader = await subscribe(faults.daemon.url, faults.daemon.token);
    reader.close();
    for (const socket of sockets) socket.destroy();
    if (code !== 0) throw new Error(`drover ls ended with ${code} while the port was flooded`);
  },
};
