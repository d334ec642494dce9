/** Many simulated hosts or seats of a fleet, on the real modules, in a process of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import type { Done, Order } from '../test/fleet/simulated-hosts.ts';
import type { Member } from '../test/rig/fleet-members.ts';

export interface Simulated {
  order: (order: Order) => Promise<Done>;
  close: () => void;
}

/** Starts the process. Its hosts are enrolled with the key of this admin. */
export const openSimulated = async (admin: Member): Promise<Simulated> => {
  const file = join(admin.world.droverHome, 'fleet', 'fleet.json');
  const { fleet, fleetKey, fleetSecret, servers } = JSON.parse(await readFile(file, 'utf8')) as NonNullable<
    Order['fleet']
  >;
  const outfile = '.cache/run/simulated-hosts.mjs';
  await build({
    entryPoints: ['test/fleet/simulated-hosts.ts'],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    loader: { '.sh': 'text' },
    define: { DROVER_VERSION: '"0.0.0"' },
    logLevel: 'warning',
  });
  const child: ChildProcess = spawn(process.execPath, [outfile], { stdio: ['pipe', 'pipe', 'inherit'] });
  if (!child.stdin || !child.stdout) throw new Error('no pipes');
  const { stdin } = child;
  const lines = createInterface({ input: child.stdout });
  return {
    order: order =>
      new Promise((resolve, reject) => {
        child.once('exit', () => reject(new Error('The simulated hosts ended.')));
        lines.once('line', line => resolve(JSON.parse(line) as Done));
        stdin.write(`${JSON.stringify({ ...order, fleet: { fleet, fleetKey, fleetSecret, servers } })}\n`);
      }),
    close: () => void child.kill(),
  };
};
