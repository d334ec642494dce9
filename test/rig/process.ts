/** The processes of a world, known by the folders in their environment. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { run } from './run.ts';
import { until } from './within.ts';

/** Pids whose HOME or DROVER_HOME lies in this folder. */
export async function processesOf(root: string): Promise<number[]> {
  const names = await readdir('/proc').catch(() => null);
  if (names === null) return (await linesOf(root)).map(({ pid }) => pid);
  const pids = names.filter(name => /^\d+$/.test(name)).map(Number);
  const own = await Promise.all(pids.map(pid => livesIn(pid, root)));
  return pids.filter((_, index) => own[index]);
}

/** Ends every process of this folder and waits until it is gone. */
export async function endAll(root: string): Promise<void> {
  let left: number[] = [];
  await until(
    10_000,
    () => `processes ${left.join(', ')} outlive their world`,
    async () => {
      left = await processesOf(root);
      left.forEach(kill);
      return left.length === 0 ? true : undefined;
    },
  );
}

/** Hooks of a world that wait for an answer, by pid. Each has its FIFO open. */
export async function waitersOf(root: string): Promise<number[]> {
  if (!existsSync('/proc')) {
    const isWaiting = (line: string) => /emit\.sh.*set -- (?:PermissionRequest|Stop|PreCompact)/.test(line);
    return (await linesOf(root)).filter(({ line }) => isWaiting(line)).map(({ pid }) => pid);
  }
  const pids = await processesOf(root);
  const waits = await Promise.all(pids.map(hasFifo));
  return pids.filter((_, index) => waits[index]);
}

async function hasFifo(pid: number): Promise<boolean> {
  // The shell of a hook, not the daemon, which has the other end.
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  if (!line.includes('emit.sh')) return false;
  const fds = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = await Promise.all(fds.map(fd => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  return links.some(link => link.includes('/waiting/'));
}

/** Whether a process is there, also as a zombie. */
export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** The program and the arguments of a process, joined by spaces; empty when it is gone. macOS has no /proc. */
export function commandLine(pid: number): string {
  const options = { env: { PATH: '/bin:/usr/bin' }, encoding: 'utf8' } as const;
  return spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], options).stdout.trim();
}

async function livesIn(pid: number, root: string): Promise<boolean> {
  const environ = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  const homes = [`HOME=${root}/`, `DROVER_HOME=${root}/`];
  return environ.split('\0').some(variable => homes.some(home => variable.startsWith(home)));
}

/** The processes of a folder where there is no /proc: the ps of macOS prints environments (-E) behind the arguments. */
async function linesOf(root: string): Promise<{ pid: number; line: string }[]> {
  const { stdout } = await run('ps', ['-A', '-E', '-ww', '-o', 'pid=', '-o', 'command='], {
    env: { PATH: '/bin:/usr/bin' },
    cwd: '/',
  });
  return stdout
    .split('\n')
    .filter(line => line.includes(` HOME=${root}/`) || line.includes(` DROVER_HOME=${root}/`))
    .map(line => ({ pid: Number.parseInt(line, 10), line }));
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}
