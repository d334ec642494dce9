/** Resume and search with 10,000 transcripts, 1 GB in all, on disk. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { slugOf } from '../src/claude/slug.ts';
import { shortId } from '../src/contract/short-id.ts';
import { decodeSlug } from '../src/resume/decode-slug.ts';
import { textsFrom } from '../src/resume/indexer.ts';
import { listPast } from '../src/resume/transcripts.ts';
import { SearchIndex } from '../src/store/search.ts';
import { median, ms, percentile, type Row } from './figures.ts';
import { get, openWorld, type World } from './world.ts';

const sessions = 10_000;
const projects = 200;
const bytesEach = 100_000;
const main = resolve('dist/main.js');

export const resumeRows = async (): Promise<Row[]> => {
  const world = openWorld();
  try {
    const ids = writeTranscripts(world);
    const away = dryRuns(world, ids);
    const paint = await firstPaint(world);
    const size = await index(world);
    const daemon = await world.start();
    const near = dryRuns(world, ids);
    const found = await searches(daemon.url, daemon.token);
    await daemon.stop();
    return [
      row('`drover resume <prefix> --dry-run`, 10,000 transcripts, with the daemon', near, 250),
      row('the same without the daemon', away, 1_500),
      row('picker, 10,000 sessions: start of the command to its first paint', paint, 400),
      row(`search over HTTP, ${size} transcripts of 1 GB indexed, 40 searches`, found, 100),
      row('decoder, home of 50,000 directories, 100 of them', decoder(), 300),
    ];
  } finally {
    world.close();
  }
};

const row = (what: string, times: number[], most: number): Row => ({
  what,
  target: `<= ${most} ms`,
  seen: `median ${ms(median(times))}, 90 of 100 ${ms(percentile(times, 90))}, slowest ${ms(percentile(times, 100))}`,
  met: percentile(times, 90) <= most,
});

// A vocabulary in which few words are common and many are rare, as in what people say.
const words = Array.from({ length: 20_000 }, (_, n) => `w${n.toString(36)}`);
let seed = 7;
const random = (): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};
const say = (count: number): string =>
  Array.from({ length: count }, () => words[Math.floor(words.length * random() ** 3)]).join(' ');

/** Prompts, answers, and nine times as much from tools. */
const writeTranscripts = (world: World): string[] => {
  const noise = 'x'.repeat(9_000);
  return Array.from({ length: sessions }, (_, n) => {
    const id = `${n.toString(16).padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`;
    const dir = join(world.dir, 'home', `project-${n % projects}`);
    const folder = join(world.dir, 'home', '.claude', 'projects', slugOf(dir));
    if (n < projects) for (const made of [dir, folder]) mkdirSync(made, { recursive: true });
    const lines = Array.from({ length: bytesEach / 10_000 }, (_unused, at) => [
      line('user', say(20), { cwd: dir, uuid: `${id}-${at}`, gitBranch: 'main' }),
      line('assistant', [{ type: 'text', text: say(150) }], { cwd: dir }),
      line('user', [{ type: 'tool_result', content: noise }], { cwd: dir }),
    ]);
    writeFileSync(join(folder, `${id}.jsonl`), lines.flat().join(''));
    return id;
  });
};

const line = (type: string, content: unknown, more: object): string =>
  `${JSON.stringify({ type, message: { role: type, content }, ...more })}\n`;

const dryRuns = ({ env, dir }: World, ids: string[]): number[] =>
  Array.from({ length: 20 }, (_, n) => {
    const id = ids[(n * 487) % ids.length] as string;
    const began = performance.now();
    const { status, stderr } = spawnSync(process.execPath, [main, 'resume', shortId(id), '--dry-run'], {
      env,
      cwd: dir,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`resume --dry-run ended with ${status}: ${stderr}`);
    return performance.now() - began;
  });

/** In a terminal made by script(1), until the list is shown. */
const firstPaint = async ({ env, dir }: World): Promise<number[]> => {
  const times: number[] = [];
  for (let n = 0; n < 10; n++) {
    const began = performance.now();
    const child = spawn('script', ['-qec', `'${process.execPath}' '${main}' resume`, '/dev/null'], {
      env: { ...env, TERM: 'xterm-256color' },
      cwd: dir,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    await new Promise<void>((done, fail) => {
      let seen = '';
      child.stdout.on('data', chunk => {
        seen += String(chunk);
        if (seen.includes(`of ${sessions} sessions`)) done();
      });
      child.once('exit', code => fail(new Error(`the picker ended with ${code}: ${seen}`)));
    });
    times.push(performance.now() - began);
    child.removeAllListeners('exit');
    const gone = new Promise(done => child.once('exit', done));
    child.stdin.write('\x1b');
    await gone;
  }
  return times;
};

/** All transcripts into the index, as the daemon does it but without its pauses. */
const index = async (world: World): Promise<number> => {
  mkdirSync(world.home, { recursive: true, mode: 0o700 });
  const search = await SearchIndex.open(join(world.home, 'search.db'));
  const pasts = listPast([join(world.dir, 'home', '.claude')]).reverse();
  for (const { id, path, size } of pasts)
    for (let doc = search.docOf(id, path); doc.read < size; doc = search.docOf(id, path)) {
      const { texts, read } = textsFrom(path, doc, size);
      search.add(doc, texts, read);
    }
  search.close();
  return pasts.length;
};

/** Common words, rare ones, several at once, phrases, beginnings. */
const searches = async (url: string, token: string): Promise<number[]> => {
  const times: number[] = [];
  let hits = 0;
  for (let n = 0; n < 40; n++) {
    const [a, b] = [words[n * n], words[(n * 37) % 400]];
    const query = [`${a}`, `${a} ${b}`, `"${say(2)}"`, `w${n.toString(36)}*`][n % 4] as string;
    const began = performance.now();
    const answer = await get(`${url}/sessions?q=${encodeURIComponent(query)}`, token);
    times.push(performance.now() - began);
    if ((JSON.parse(answer) as { sessions: unknown[] }).sessions.length > 0) hits++;
  }
  if (hits < 25) throw new Error(`only ${hits} of 40 searches found something`);
  return times;
};

const decoder = (): number[] => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'db-')));
  try {
    // Half of them side by side in one folder, half of them in a tree.
    const dirs = Array.from({ length: 50_000 }, (_, n) =>
      n % 2 ? join(root, 'flat', `part_${n}`) : join(root, `team-${n % 10}`, `app.${n % 250}`, `part_${n}`),
    );
    for (const dir of dirs) mkdirSync(dir, { recursive: true });
    return Array.from({ length: 100 }, (_, n) => {
      const dir = dirs[(n * 499) % dirs.length] as string;
      const began = performance.now();
      const { found } = decodeSlug(slugOf(dir), null);
      if (found.length !== 1 || found[0] !== dir) throw new Error(`${dir} became ${found.join(', ')}`);
      return performance.now() - began;
    });
  } finally {
    rmSync(root, { recursive: true });
  }
};
