/** Runs a program with text on its standard input. Anything but exit code 0 within the time limit is an error. */
import { spawn } from 'node:child_process';
import { limits } from '../limits.ts';

export const runProgram = ([program, ...args]: string[], input: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program as string, args, {
      stdio: ['pipe', 'ignore', 'pipe'],
      timeout: limits.notify.timeout,
      killSignal: 'SIGKILL',
    });
    let stderr = '';
    child.stderr.on('data', chunk => {
      stderr = `${stderr}${String(chunk)}`.slice(-500);
    });
    child.on('error', reject);
    // A program may exit without reading its input.
    child.stdin.on('error', () => {});
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} exited with ${code ?? signal}${stderr ? `: ${stderr.trim()}` : ''}`));
    });
    child.stdin.end(input);
  });
