/** 2 GB of transcripts with a million messages: how long reading them takes, whether the daemon answers meanwhile, and a report. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Usage } from '../src/contract/usage.ts';
import { ms, type Row } from './figures.ts';
import { get, openWorld, resident } from './world.ts';

const sessions = 500;
const messages = 2_000;
const days = 60;

export const usageRows = async (): Promise<Row[]> => {
  const world = openWorld();
  try {
    mkdirSync(world.home, { mode: 0o700 });
    const folder = join(world.env.HOME as string, '.claude', 'projects', '-home-me-shop');
    mkdirSync(folder, { recursive: true });
    const bytes = fill(folder);
    const daemon = await world.start();
    const usage = async () => JSON.parse(await get(`${daemon.url}/usage?by=day`, daemon.token)) as Usage;
    const began = performance.now();
    let slowest = 0;
    for (;;) {
      const asked = performance.now();
      await get(`${daemon.url}/healthz`, daemon.token);
      slowest = Math.max(slowest, performance.now() - asked);
      const { reading } = await usage();
      if (reading.files === sessions && reading.leftBytes === 0) break;
      await new Promise(done => setTimeout(done, 200));
    }
    const took = performance.now() - began;
    const counted = (await usage()).total.messages;
    const commands = Array.from({ length: 5 }, () => {
      const asked = performance.now();
      execFileSync(process.execPath, [resolve('dist/main.js'), 'usage', '--by', 'day', '--since', 'all'], {
        env: world.env,
      });
      return performance.now() - asked;
    }).sort((a, b) => a - b);
    const command = commands[2] as number;
    appendFileSync(join(folder, 'new.jsonl'), `${line('new', 0, Date.now())}\n`);
    const memory = resident(daemon.pid);
    await daemon.stop();
    return [
      {
        what: `usage: ${(bytes / 1e9).toFixed(1)} GB of transcripts with ${counted} messages read`,
        target: '<= 60 s',
        seen: `${(took / 1_000).toFixed(1)} s`,
        met: took <= 60_000 && counted === sessions * messages,
      },
      {
        what: 'usage: slowest answer of the daemon meanwhile',
        target: '<= 50 ms',
        seen: ms(slowest),
        met: slowest <= 50,
      },
      {
        what: 'usage: `drover usage --by day` with these messages',
        target: '<= 150 ms',
        seen: ms(command),
        met: command <= 150,
      },
      {
        what: 'usage: resident memory afterwards',
        target: '<= 250 MB',
        seen: `${memory.toFixed(0)} MB`,
        met: memory <= 250,
      },
    ];
  } finally {
    world.close();
  }
};

const fill = (folder: string): number => {
  const result = JSON.stringify({
    type: 'user',
    message: { content: [{ type: 'tool_result', content: 'x'.repeat(1_000) }] },
  });
  const start = Date.now() - days * 86_400_000;
  let bytes = 0;
  for (let session = 0; session < sessions; session++) {
    const id = `00000000-0000-4000-8000-${String(session).padStart(12, '0')}`;
    const fd = openSync(join(folder, `${id}.jsonl`), 'w');
    const rows: string[] = [];
    for (let n = 0; n < messages; n++)
      rows.push(line(id, n, start + ((session * 7_919 + n * 104_729) % (days * 86_400)) * 1_000), result);
    bytes += writeSync(fd, `${rows.join('\n')}\n`);
    closeSync(fd);
  }
  return bytes;
};

const line = (sessionId: string, n: number, at: number): string =>
  JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    message: {
      id: `msg_${sessionId.slice(-6)}${((n * 2_654_435_761) % 2 ** 32).toString(36)}${n}`,
      type: 'message',
      role: 'assistant',
      model: n % 5 ? 'claude-opus-5-5' : 'claude-haiku-4-5',
      content: [{ type: 'text', text: 'y'.repeat(320) }],
      usage: {
        input_tokens: 12,
        cache_creation_input_tokens: 340,
        cache_read_input_tokens: 56_000,
        output_tokens: 250,
        cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 340 },
      },
    },
    type: 'assistant',
    timestamp: new Date(at).toISOString(),
    cwd: '/home/me/shop',
    sessionId,
    version: '2.1.325',
  });
