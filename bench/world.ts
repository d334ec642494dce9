/** A throw-away DROVER_HOME with a real daemon in it, for measurements. Environment from empty, loopback only. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export interface World {
  dir: string;
  home: string;
  env: Record<string, string>;
  start: () => Promise<Daemon>;
  close: () => void;
}

export interface Daemon {
  pid: number;
  url: string;
  token: string;
  /** Milliseconds from spawn until its port is open, and until it answers calls. */
  open: number;
  ready: number;
  stop: (signal?: NodeJS.Signals) => Promise<void>;
}

const main = resolve('dist/main.js');

export const openWorld = (): World => {
  const dir = mkdtempSync(join(tmpdir(), 'db-'));
  const home = join(dir, 'd');
  for (const name of ['home', 't']) mkdirSync(join(dir, name));
  const env = {
    HOME: join(dir, 'home'),
    PATH: process.env.PATH ?? '',
    LANG: 'C.UTF-8',
    TMUX_TMPDIR: join(dir, 't'),
    DROVER_HOME: home,
  };
  const children: ChildProcess[] = [];
  return {
    dir,
    home,
    env,
    start: async () => {
      rmSync(join(home, 'daemon.json'), { force: true });
      const began = performance.now();
      const child = spawn(process.execPath, [main, 'up', '--foreground', '--port', '0'], {
        env,
        stdio: 'ignore',
      });
      children.push(child);
      const gone = new Promise<void>(done => child.once('exit', () => done()));
      for (;;) {
        if (existsSync(join(home, 'daemon.json'))) break;
        if (child.exitCode !== null) throw new Error(`the daemon ended with ${child.exitCode}`);
        await new Promise(done => setTimeout(done, 2));
      }
      const { url } = JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8')) as { url: string };
      const open = performance.now() - began;
      // It answers with an error while it reads its log.
      while (!(await get(`${url}/healthz`, '')).startsWith('{"ok":true'))
        await new Promise(done => setTimeout(done, 2));
      const token = readFileSync(join(home, 'token'), 'utf8').trim();
      return {
        pid: child.pid as number,
        url,
        token,
        open,
        ready: performance.now() - began,
        stop: async (signal = 'SIGTERM') => {
          child.kill(signal);
          await gone;
        },
      };
    },
    close: () => {
      for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};

export const get = (url: string, token: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request(url, { headers: { Authorization: `Bearer ${token}` } }, response => {
      const chunks: Buffer[] = [];
      response.on('data', chunk => chunks.push(chunk as Buffer));
      response.on('end', () => resolve(Buffer.concat(chunks).toString()));
    })
      .on('error', reject)
      .end();
  });

/** Posts a hook payload and waits until it is durable. */
export const post = ({ url, token }: Pick<Daemon, 'url' | 'token'>, payload: object): Promise<void> =>
  new Promise((resolve, reject) => {
    request(`${url}/event`, { method: 'POST', headers: { Authorization: `Bearer ${token}` } }, response => {
      response.resume().on('end', resolve);
    })
      .on('error', reject)
      .end(JSON.stringify(payload));
  });

/** Resident memory of a process, MB. */
export const resident = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** CPU seconds of a process and of the children it has waited for. */
export const spent = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return [11, 12, 13, 14].reduce((sum, n) => sum + Number(fields[n]), 0) / 100;
};
