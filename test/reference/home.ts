/** A whole home as a build left it: database, waiting spool files, hooks, settings and tmux.conf, before `uninstall`. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { hostname } from 'node:os';
import { pidNamespace } from '../../src/platform/processes.ts';
import { MAIN } from '../rig/drover.ts';
import { hooksOf } from '../rig/hook.ts';
import type { World } from '../rig/world.ts';
import { packDatabase, unpackDatabase } from './database.ts';

export const [a, b] = [
  'aaaaaaaa-0000-4000-8000-000000000001',
  'bbbbbbbb-0000-4000-8000-000000000002',
] as const;

/** Formatted as no program would do it: removal must restore every byte. */
export const ownFiles: Record<string, string> = {
  'home/.claude/settings.json':
    '{ "model":"opus" ,\n\t"hooks": {"Notification":[ {"hooks":[{ "type":"command","command":"true"}]} ] }\n}',
  'home/.tmux.conf': '# mine\nset -g mouse on',
};

const here = new URL('../../test/homes/', import.meta.url);
const fixture = new URL('v7-safe-actions.home.jsonl', here).pathname;
const database = new URL('v7-safe-actions.db.gz', here).pathname;

/** What is not kept: secrets, the sockets and locks of a daemon that runs, its log, and the database, which has its own file. */
const left =
  /^drover\/(?:token|tokens\.json|pages\.json|daemon\..*|drover\.sock|drover\.db.*|lost|reserve|log\/.*)$/;

interface Entry {
  path: string;
  mode: number;
  text: string;
}

/** Makes a home with this build and keeps it. */
export const recordHome = async (world: World): Promise<void> => {
  for (const [path, text] of Object.entries(ownFiles)) writeFileSync(join(world.root, path), text);
  const hooks = await hooksOf(world);
  const tmux = await world.drover('setup', '--tmux');
  if (tmux.code !== 0) throw new Error(tmux.stderr);
  const daemon = await world.daemon();
  const fire = (session_id: string, hook_event_name: string, more: object = {}) =>
    hooks.fire(
      { session_id, hook_event_name, cwd: '/srv/demo', ...more },
      { env: { CLAUDE_PROJECT_DIR: '/srv/demo', CLAUDE_CODE_SESSION_ID: session_id } },
    );
  const tool = { tool_name: 'Bash', tool_input: { command: 'touch made' } };
  await fire(a, 'SessionStart', { source: 'startup' });
  await fire(a, 'UserPromptSubmit', { prompt: 'make it' });
  await fire(a, 'PreToolUse', tool);
  await fire(a, 'PermissionRequest', tool);
  await fire(a, 'PostToolUse', tool);
  await fire(a, 'Stop', { last_assistant_message: 'made' });
  await fire(b, 'SessionStart', { source: 'startup' });
  await fire(b, 'UserPromptSubmit', { prompt: 'leave' });
  await fire(b, 'SessionEnd', { reason: 'prompt_input_exit' });
  await daemon.stop();
  // Nothing reads this: the next daemon will.
  await fire(a, 'UserPromptSubmit', { prompt: 'while no daemon ran' });
  const entries = filesIn(world.root, ['drover', 'home'])
    .filter(path => !left.test(path) && path !== 'home/.claude.json')
    .map((path): Entry => {
      const file = join(world.root, path);
      const text = readFileSync(file, 'utf8');
      return { path, mode: statSync(file).mode & 0o777, text: emptied(world, text) };
    });
  writeFileSync(fixture, entries.map(entry => `${JSON.stringify(entry)}\n`).join(''));
  await packDatabase(world, database);
};

/** Puts the kept home into a world that has none. */
export const unpackHome = async (world: World): Promise<void> => {
  const entries = readFileSync(fixture, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Entry);
  for (const { path, mode, text } of entries) {
    const file = join(world.root, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, filled(world, text), { mode });
  }
  await unpackDatabase(world, database);
};

const wordsOf = (world: World): [string, string][] => [
  [world.root, '{{ROOT}}'],
  [MAIN, '{{MAIN}}'],
  [dirname(MAIN), '{{DIST}}'],
  [process.execPath, '{{NODE}}'],
  [`\0${hostname()}\0${pidNamespace()}\0`, '\0{{HOST}}\0{{NS}}\0'],
];

const emptied = (world: World, text: string): string =>
  wordsOf(world)
    .reduce((cleaned, [word, place]) => cleaned.replaceAll(word, place), text)
    // The process that fired a hook of the recording.
    .replaceAll(`\0${process.pid}\0`, '\x001073741823\0');

const filled = (world: World, text: string): string =>
  wordsOf(world).reduce((cleaned, [word, place]) => cleaned.replaceAll(place, word), text);

const filesIn = (root: string, folders: string[]): string[] =>
  folders.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => relative(root, join(entry.parentPath, entry.name))),
  );
