// Runs a TypeScript program of this repository: bundled into .cache by esbuild, then started by node.
import './check-node.mjs';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** In the bundle a file finds the files beside it in the repository. */
const ownAddresses = {
  name: 'own-addresses',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        'import.meta.url',
        JSON.stringify(pathToFileURL(path).href),
      ),
      loader: 'ts',
    })),
};

const [entry, ...args] = process.argv.slice(2);
const outfile = `.cache/run/${entry.replace(/\W/g, '-')}.mjs`;
mkdirSync('.cache/run', { recursive: true });
await build({
  entryPoints: [entry],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  packages: 'external',
  loader: { '.sh': 'text' },
  logLevel: 'warning',
  sourcemap: 'inline',
  plugins: [ownAddresses],
  define: { DROVER_VERSION: JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).version) },
});
const { status } = spawnSync(process.execPath, ['--enable-source-maps', outfile, ...args], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
