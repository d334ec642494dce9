/** Ids of this machine and of its boot, as macOS has them; empty on other systems. They do not change, so each is read once. */
import { execFileSync } from 'node:child_process';

/** Runs a program and returns what it printed; throws when it fails. */
export type RunProgram = (path: string, args: string[]) => string;

export const systemIds = (run: RunProgram = runProgram) => {
  const known = new Map<string, string>();
  const once = (name: string, read: () => string): string => {
    let value = known.get(name);
    if (value === undefined) {
      try {
        value = read();
      } catch {
        // Not macOS.
        value = '';
      }
      known.set(name, value);
    }
    return value;
  };
  return {
    bootId: () => once('boot', () => run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']).trim()),
    // `kern.uuid` would be that of the kernel: all machines with one version of macOS have the same.
    machineId: () =>
      once('machine', () => {
        const text = run('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']);
        return /"IOPlatformUUID" = "([^"]+)"/.exec(text)?.[1] ?? '';
      }),
    earlierMachineId: () => once('kernel', () => run('/usr/sbin/sysctl', ['-n', 'kern.uuid']).trim()),
  };
};

const runProgram: RunProgram = (path, args) =>
  execFileSync(path, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 5_000 });
