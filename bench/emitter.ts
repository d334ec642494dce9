/** What a hook costs, run as Claude Code runs it (`sh -c command`), against the least a hook can be and against curl. */
import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { handlerFor } from '../src/hook/install/command.ts';
import { median, ms, type Row, times } from './figures.ts';
import { openWorld } from './world.ts';

const pairs = 200;

export const emitterRows = async (): Promise<Row[]> => {
  const world = openWorld();
  const daemon = await world.start();
  const sink = createServer((request, response) => request.resume().on('end', () => response.end()));
  await new Promise<void>(done => sink.listen(0, '127.0.0.1', done));
  try {
    const floor = script(world.dir, 'floor.sh', 'exit 0');
    const url = `http://127.0.0.1:${(sink.address() as AddressInfo).port}/event`;
    const curl = script(
      world.dir,
      'curl.sh',
      `curl -s -X POST --data-binary @- -H "X-Tmux-Pane: $TMUX_PANE" ${url}\nexit 0`,
    );
    const emitter = handlerFor('PostToolUse', world.env).command;
    const rows: Row[] = [];
    for (const bytes of [500, 4_000, 100_000]) {
      const payload = payloadOf(bytes);
      const seen = await interleaved([floor, emitter], payload, world.env);
      const ratio = seen[1] / seen[0];
      rows.push({
        what: `emitter, ${bytes} B payload, over a hook that is \`exit 0\` (both by \`sh -c\`, ${pairs} pairs)`,
        target: '<= 1.5 x',
        seen: `${times(ratio)} (${ms(seen[1])} / ${ms(seen[0])})`,
        met: ratio <= 1.5,
      });
    }
    const [sh, ours] = await interleaved([curl, emitter], payloadOf(500), world.env);
    rows.push({
      what: 'emitter against sh + curl POST, 500 B',
      target: '>= 2.5 x faster',
      seen: `${times(sh / ours)} (${ms(sh)} / ${ms(ours)})`,
      met: sh / ours >= 2.5,
    });
    // A hook that may wait checks two more files; without an agent this must not be noticeable.
    const stop = handlerFor('Stop', world.env).command;
    const [plain, looking] = await interleaved([emitter, stop], payloadOf(500), world.env);
    rows.push({
      what: `a Stop that waits for nobody, over a hook that never waits (${pairs} pairs)`,
      target: '<= 1.05 x',
      seen: `${times(looking / plain)} (${ms(looking)} / ${ms(plain)})`,
      met: looking / plain <= 1.05,
    });
    return rows;
  } finally {
    sink.close();
    await daemon.stop();
    world.close();
  }
};

/** Writes a shell script and returns its path. */
export const script = (dir: string, name: string, body: string): string => {
  const file = join(dir, name);
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
};

const payloadOf = (bytes: number): string => {
  const fields = {
    session_id: '5eed0000-0000-4000-8000-000000000001',
    hook_event_name: 'PostToolUse',
    tool_response: '',
  };
  return `${JSON.stringify({ ...fields, tool_response: 'x'.repeat(bytes - JSON.stringify(fields).length) })}\n`;
};

const interleaved = async (
  commands: [string, string],
  payload: string,
  env: Record<string, string>,
): Promise<[number, number]> => {
  const seen: [number[], number[]] = [[], []];
  for (let n = -10; n < pairs; n++)
    for (const side of [0, 1] as const) {
      const time = await fire(commands[side], payload, env);
      if (n >= 0) seen[side].push(time);
    }
  return [median(seen[0]), median(seen[1])];
};

/** Runs a hook command as Claude Code does and returns how long it took, ms. */
export const fire = (command: string, payload: string, env: Record<string, string>): Promise<number> =>
  new Promise(done => {
    const began = performance.now();
    const child = spawn('/bin/sh', ['-c', command], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.on('error', () => {});
    child.stdin.end(payload);
    child.stdout.resume();
    child.stderr.resume();
    child.on('close', () => done(performance.now() - began));
  });
