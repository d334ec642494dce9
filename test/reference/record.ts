/**
 * `npm run reference [corpus|outcome|receipts|home] [version]`: records again, with the real CLI and this tree's build. Use it
 * only to extend the reference: a recording by a changed build would accept whatever that build does.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { newest, type Version } from '../rig/cli.ts';
import { until } from '../rig/within.ts';
import { openWorld, type World } from '../rig/world.ts';
import { areSessionFilesWhole, corpusOf, type Corpus, writeCorpus } from './corpus.ts';
import { recordHome } from './home.ts';
import type { Outcome } from './outcome.ts';
import { startReplay, writeOutcome } from './replay.ts';
import { recordReceipts } from './record-receipts.ts';
import { lastScenes, type Scene, scenes } from './scenes.ts';
import { readSpool } from './spool.ts';

const projects = ['project', 'other'];
/** Scenes that run at a time: their hooks mix, and two cores suffice. */
const side = 3;

const play = async (world: World, queue: Scene[]): Promise<void> => {
  const hand = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { name, run } = next;
      try {
        await run(world);
        console.log(`${world.version} ${name}`);
      } catch (error) {
        throw new Error(`${world.version} ${name}: ${(error as Error).message}`, { cause: error });
      }
    }
  };
  await Promise.all(Array.from({ length: side }, hand));
};

/** Awaits that no hook has fired for a while, and that no session file is half written. */
const quiet = async (world: World): Promise<void> => {
  let [count, since] = [0, 0];
  await until(
    60_000,
    () => 'hooks go on firing',
    () => {
      const now = readSpool(world).length;
      if (now !== count) [count, since] = [now, Date.now()];
      return (Date.now() - since > 6_000 && areSessionFilesWhole(world)) || undefined;
    },
  );
};

const recordCorpus = async (version: Version): Promise<Corpus> => {
  // The notice of a session that has waited for a while is a hook too.
  const world = await openWorld({ version, projects, idleNotice: 4_000 });
  try {
    const { code, stderr } = await world.drover('setup');
    if (code !== 0) throw new Error(stderr);
    // No daemon: what the hooks write stays where it is.
    await rm(join(world.droverHome, 'autostart'));
    // The server outlives every session.
    await world.tmux(['new-session', '-d', '-s', 'anchor', 'sleep', '36000']);
    await play(world, [...scenes]);
    await play(world, [...lastScenes]);
    await quiet(world);
    return corpusOf(world, readSpool(world));
  } finally {
    await world.close();
  }
};

/** Replays it until nothing changes. */
const recordOutcome = async (version: Version): Promise<Outcome> => {
  const world = await openWorld({ version, projects });
  try {
    const read = await startReplay(world);
    let last = await read();
    return await until(
      60_000,
      () => 'the outcome keeps changing',
      async () => {
        await pauseFor(5_000);
        const before = last;
        last = await read();
        return isDeepStrictEqual(before, last) ? last : undefined;
      },
    );
  } finally {
    await world.close();
  }
};

const [what = 'corpus', only] = process.argv.slice(2);
/** The versions with a corpus. */
const recorded: Version[] = ['2.1.197', '2.1.325'];
const wanted = recorded.filter(version => only === undefined || only === version);
if (what === 'corpus')
  for (const version of wanted) {
    const corpus = await recordCorpus(version);
    writeCorpus(version, corpus);
    console.log(`${version}: ${corpus.files.length} files, ${corpus.processes.length} processes`);
  }
if (what === 'corpus' || what === 'outcome')
  for (const version of wanted) writeOutcome(version, await recordOutcome(version));
if (what === 'receipts') await recordReceipts();
if (what === 'home') {
  const world = await openWorld({ version: newest });
  try {
    await recordHome(world);
  } finally {
    await world.close();
  }
}
