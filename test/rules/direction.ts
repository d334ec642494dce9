/** The tree follows the path of an event: a folder imports only folders before it. */
import { folderOf, importsOf, isTest, type Source } from './sources.ts';

/** Folders that every other one may import, like the files directly in src. */
const shared = ['', 'config', 'files'];

/** What each folder may import, beside itself, the shared ones and `platform`. */
const allowed: Record<string, string[]> = {
  '': ['cli', 'contract'],
  contract: [],
  platform: [],
  files: ['contract'],
  config: [],
  claude: ['contract'],
  session: ['contract'],
  store: ['contract', 'session'],
  tmux: ['contract', 'claude', 'session'],
  driver: ['contract', 'claude', 'session', 'tmux'],
  hook: ['contract', 'claude'],
  watch: ['contract', 'claude', 'session', 'tmux'],
  live: ['contract', 'hook', 'session', 'store'],
  notify: ['contract', 'session'],
  usage: ['contract', 'claude', 'store'],
  changes: ['contract', 'hook', 'session', 'store', 'live'],
  hub: ['contract', 'claude', 'hook', 'session', 'live', 'store', 'tmux', 'driver'],
  wake: ['contract', 'claude', 'hook', 'session', 'live', 'store', 'tmux', 'notify'],
  resume: ['contract', 'claude', 'store', 'tmux'],
  server: ['contract', 'claude', 'hook', 'session', 'live', 'store', 'notify', 'hub', 'wake', 'fleet'],
  fleet: ['contract', 'live', 'store'],
  client: ['contract', 'hook', 'session'],
  print: ['contract', 'claude', 'tmux', 'driver'],
  daemon: [
    'contract',
    'claude',
    'hook',
    'watch',
    'store',
    'session',
    'live',
    'notify',
    'usage',
    'changes',
    'hub',
    'resume',
    'wake',
    'print',
    'server',
    'fleet',
    'tmux',
  ],
  demo: ['contract', 'claude', 'hook', 'tmux', 'print', 'daemon'],
  mcp: ['contract', 'client'],
  tui: ['contract', 'client', 'tmux'],
  web: ['contract', 'client', 'session'],
  cli: [
    'contract',
    'session',
    'client',
    'mcp',
    'tui',
    'claude',
    'hook',
    'tmux',
    'resume',
    'wake',
    'notify',
    'print',
    'demo',
    'fleet',
    'daemon',
  ],
};

export const wrongDirection = (files: Source[]): string[] =>
  files
    .filter(file => !isTest(file))
    .flatMap(file => importsOf(file))
    .filter(({ from, to }) => {
      if (!to.startsWith('src/')) return false;
      const [here, there] = [folderOf(from), folderOf(to)];
      const isShared =
        shared.includes(there) || (there === 'platform' && here !== 'contract' && here !== 'session');
      return there !== here && !isShared && !allowed[here]?.includes(there);
    })
    .map(({ from, to }) => `${from} imports ${to}`);

/** Import cycles, type imports left out: those are gone after the build. */
export const cycles = (files: Source[]): string[] => {
  const graph = new Map(
    files.map(file => [
      file.path,
      importsOf(file)
        .filter(edge => !edge.typeOnly && !edge.lazy)
        .map(edge => edge.to),
    ]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: string[]): void => {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(' -> '));
    if (trail.includes(path) || done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return found;
};

/** Everything that loading a file loads at once. */
export const loads = (files: Source[], entry: string): Set<string> => {
  const byPath = new Map(files.map(file => [file.path, file]));
  const seen = new Set<string>();
  const visit = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    const file = byPath.get(path);
    for (const edge of file ? importsOf(file) : []) if (!edge.typeOnly && !edge.lazy) visit(edge.to);
  };
  visit(entry);
  return seen;
};
