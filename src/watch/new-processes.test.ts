import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { processIds, processName } from '../platform/processes.ts';
import { NewProcesses } from './new-processes.ts';
import { waitFor } from '../testing/wait-for.ts';

const start = async (file: string, args: string[]): Promise<number> => {
  const child = spawn(file, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  starts.push(line => child.stdin?.write(line));
  return child.pid as number;
};
const starts: ((line: string) => void)[] = [];

// Elsewhere a change of a pane's command is the sign: see pane-commands.ts.
test.runIf(processIds() !== null)(
  'reports a CLI once, also one that a shell becomes by exec, and no other process',
  async () => {
    const dir = mkdtempSync(join(tmpdir(), 'du-'));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    const claude = join(dir, 'claude');
    copyFileSync('/bin/sleep', claude);
    const newProcesses = new NewProcesses();
    newProcesses.poll(0);
    const pid = await start(claude, ['60']);
    await waitFor(() => expect(processName(pid)).toBe('claude'));
    expect(newProcesses.poll(1)).toContain(pid);
    expect(newProcesses.poll(1)).not.toContain(pid);
    const shell = await start('sh', ['-c', `read line; exec ${claude} 60`]);
    expect(newProcesses.poll(2)).not.toContain(shell);
    starts.at(-1)?.('go\n');
    await waitFor(() => expect(processName(shell)).toBe('claude'));
    expect(newProcesses.poll(3)).toContain(shell);
  },
);
