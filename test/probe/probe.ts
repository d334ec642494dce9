/** One run of the probe: a world with the CLI of one version, hooks that record every event, and a status line that records itself. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { type Menu, menuOf } from '../../src/claude/screen/menu.ts';
import { claudeBinary } from '../rig/cli.ts';
import type { Seat } from '../rig/tmux.ts';
import { until } from '../rig/within.ts';
import { type Witness, type Witnessed, witness } from '../rig/witness.ts';
import { openWorld, type World, type WorldOptions } from '../rig/world.ts';
import { eventLists } from './binary.ts';
import type { Fact, Facts } from './facts.ts';

export interface Probe {
  version: string;
  binary: string;
  world: World;
  hooks: Witness;
  facts: Facts;
  fact: (name: string, value: Fact) => void;
  /** What the status line was given last; undefined before the first time. */
  statusLine: () => unknown;
  /** Awaits an event that `fired` has not returned yet. */
  next: (wanted: (event: Witnessed) => boolean, ms?: number) => Promise<Witnessed>;
  /** Names of hook events since the last call. */
  fired: () => string[];
  /** Names that fired within a pause that is long enough for a late hook. */
  firedAfterPause: () => Promise<string[]>;
}

/** Events whose hook replaces what the CLI does, or that fire for every few lines. */
const notRecorded = ['WorktreeCreate', 'WorktreeRemove', 'MessageDisplay'];
/** Hooks are started within 50 ms of what they report; this is many times that. */
const LATE_HOOK_MS = 1_500;

export const openProbe = async (version: string, options: Partial<WorldOptions> = {}): Promise<Probe> => {
  const binary = await claudeBinary(version);
  const [known = []] = eventLists(readFileSync(binary));
  const world = await openWorld({ version, projects: ['project', 'other'], ...options });
  const folder = join(world.root, 'probe');
  await mkdir(folder);
  await addStatusLine(world, folder);
  const hooks = await witness(
    world,
    known.filter(name => !notRecorded.includes(name)),
  );
  const facts: Facts = { 'hooks.known': known };
  const seen = new Set<string>();
  const isNew = ({ raw, at }: Witnessed) => !seen.has(`${at} ${raw}`);
  const fired = () => {
    const fresh = hooks.events().filter(isNew);
    for (const { raw, at } of fresh) seen.add(`${at} ${raw}`);
    return fresh.map(({ name }) => name);
  };
  return {
    version,
    binary,
    world,
    hooks,
    facts,
    fact: (name, value) => void (facts[name] = withoutPaths(value, world.root)),
    next: (wanted, ms) => hooks.saw(event => isNew(event) && wanted(event), ms),
    statusLine: () => {
      try {
        return JSON.parse(readFileSync(join(folder, 'status.json'), 'utf8'));
      } catch {
        return undefined;
      }
    },
    fired,
    firedAfterPause: async () => {
      await pauseFor(LATE_HOOK_MS);
      return fired();
    },
  };
};

/** Awaits a menu on the screen of a seat. */
export const menuIn = (seat: Seat, ms = 15_000): Promise<Menu> => {
  let screen = '';
  return until(
    ms,
    () => `no menu; the screen:\n${screen}`,
    async () => {
      screen = await seat.screen();
      return menuOf(screen.split('\n'), 220) ?? undefined;
    },
  );
};

/** Awaits that the menu is gone. */
export const menuGone = (seat: Seat): Promise<boolean> =>
  until(
    10_000,
    () => 'the menu stays',
    async () => (menuOf((await seat.screen()).split('\n'), 220) === null ? true : undefined),
  );

/** The labels of a menu, the selected one marked. */
export const labelsOf = ({ options }: Menu): string[] =>
  options.map(({ label, selected }) => `${selected ? '> ' : ''}${label}`);

/** A fact without the folder of this run. */
const withoutPaths = (value: Fact, root: string): Fact =>
  JSON.parse(JSON.stringify(value).replaceAll(root, '<world>')) as Fact;

async function addStatusLine(world: World, folder: string): Promise<void> {
  const script = join(folder, 'status.sh');
  await writeFile(
    script,
    `cat > '${folder}/status.part' && mv '${folder}/status.part' '${folder}/status.json'\n`,
  );
  const file = join(world.home, '.claude', 'settings.json');
  const settings = JSON.parse(await readFile(file, 'utf8')) as object;
  const statusLine = { type: 'command', command: `sh '${script}'` };
  await writeFile(file, JSON.stringify({ ...settings, statusLine }));
}
