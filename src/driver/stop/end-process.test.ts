import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { endProcess, isAlive, processRef } from './end-process.ts';

const start = async (script: string) => {
  const child = spawn('sh', ['-c', `${script}; echo ready; read -r line`]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  return { ref: processRef(child.pid as number), exited };
};

test('SIGTERM ends a process that obeys it', async () => {
  const { ref, exited } = await start(':');
  await endProcess(ref, { term: 5_000, kill: 5_000 });
  expect(isAlive(ref)).toBe(false);
  expect(await exited).toEqual([null, 'SIGTERM']);
});

test('SIGKILL ends a process that ignores SIGTERM', async () => {
  const { ref, exited } = await start("trap '' TERM");
  await endProcess(ref, { term: 50, kill: 5_000 });
  expect(isAlive(ref)).toBe(false);
  expect(await exited).toEqual([null, 'SIGKILL']);
});

test('a process that has reused the pid is not signalled', async () => {
  const { ref } = await start(':');
  await endProcess({ ...ref, start: 'earlier' }, { term: 10, kill: 10 });
  await endProcess({ ...ref, start: null }, { term: 10, kill: 10 });
  expect(isAlive(ref)).toBe(true);
});
