// Bundles into dist/ with esbuild: main.js, and a separate file for whatever is imported when it is used, so that a
// command loads two files and nothing it does not need. CommonJS, because node starts it 6 ms faster than a module; but
// the board is one, because Ink awaits its layout engine as it loads.
import './check-node.mjs';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { buildPage } from './build-page.mjs';

const out = process.argv[2] ?? 'dist';
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const buildId = hashOf(['src', 'scripts/build.mjs', 'scripts/build-page.mjs', 'package.json']);
const inputs = new Set();
// The waiter is run by a hook, and the player by a pane of the demo, by their own names: they load nothing but what they need.
const entries = new Map([
  ['main.js', resolve('src/main.ts')],
  ['client.js', resolve('src/client/library.ts')],
  ['waiter.js', resolve('src/client/waiter.ts')],
  ['usage-worker.js', resolve('src/usage/worker.ts')],
  ['player.js', resolve('src/demo/player.ts')],
]);

// `import('./x.ts')` becomes `require('./<folder>-x.js')`, and that file a separate entry.
const lazily = {
  name: 'lazily',
  setup(builder) {
    builder.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, importer }) => {
      if (kind !== 'dynamic-import') return undefined;
      // Ink's link to a debugger, which is used only on request.
      if (importer.includes('node_modules')) return { path, external: true };
      const file = resolve(dirname(importer), path);
      const name = relative('src', file)
        .replaceAll('/', '-')
        .replace(/\.tsx$/, '.mjs')
        .replace(/\.ts$/, '.js');
      entries.set(name, file);
      return { path: `./${name}`, external: true };
    });
  },
};

// Ink measures and splits every line of each frame again, although most are unchanged. Half of a frame's time is saved by
// remembering (docs/decisions/2026-11-15-ink-remembers.md).
const inkParts = {
  name: 'ink-parts',
  setup(builder) {
    const own = {
      'string-width': 'src/tui/ink/width.ts',
      '@alcalzone/ansi-tokenize': 'src/tui/ink/tokens.ts',
      'is-in-ci': 'src/tui/ink/in-ci.ts',
    };
    builder.onResolve(
      { filter: /^(?:string-width|@alcalzone\/ansi-tokenize|is-in-ci)$/ },
      ({ path, importer }) => (importer.includes('node_modules') ? { path: resolve(own[path]) } : undefined),
    );
  },
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const [name, file] of entries) {
  const isModule = name.endsWith('.mjs');
  const { metafile } = await build({
    entryPoints: [file],
    outfile: `${out}/${name}`,
    bundle: true,
    format: isModule ? 'esm' : 'cjs',
    platform: 'node',
    // jsonc-parser's main is UMD, which cannot be bundled; its module form can.
    mainFields: ['module', 'main'],
    target: 'node20.19',
    // `import()` is kept only for the board and its panel: they load an ES module, which cannot be required.
    supported: { 'dynamic-import': isModule || /^cli-verbs-(?:board|panel)\.js$/.test(name) },
    external: ['@photostructure/sqlite'],
    // The SDK of MCP is large, and its bundled code is not for reading.
    minify: isModule || name === 'cli-verbs-mcp.js',
    // Names stay, for stack traces; the package is a sixth smaller like this.
    minifyWhitespace: true,
    minifySyntax: true,
    loader: { '.sh': 'text' },
    define: {
      DROVER_VERSION: JSON.stringify(version),
      DROVER_BUILD: JSON.stringify(buildId),
      'process.env.NODE_ENV': '"production"',
      ...(isModule ? {} : { 'import.meta.url': '__url' }),
    },
    banner: {
      js: isModule
        ? `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`
        : `${nodeCheck(name)}const __url = require('node:url').pathToFileURL(__filename).href;`,
    },
    plugins: [lazily, inkParts],
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  for (const input of Object.keys(metafile.inputs)) inputs.add(input);
}
for (const input of await buildPage(out)) inputs.add(input);
writeFileSync(`${out}/package.json`, '{ "type": "commonjs" }\n');
chmodSync(`${out}/main.js`, 0o755);
writeFileSync(`${out}/LICENSES.txt`, licences([...inputs]));

typings();

/** What people and programs start says which Node it needs, in one line, before anything else. A hook must print nothing. */
function nodeCheck(name) {
  const text = '`drover: Node ${process.versions.node} is too old. Install Node 20.19 or newer.`';
  const stop = {
    'main.js': `(console.error(${text}), process.exit(7))`,
    'player.js': `(console.error(${text}), process.exit(7))`,
    'client.js': `(() => { throw new Error(${text}); })()`,
  }[name];
  return stop
    ? `process.versions.node.split('.').map(Number).some((n, i, [a]) => i === 0 ? n < 20 : i === 1 && a === 20 && n < 19) && ${stop};`
    : '';
}

/** A hash of what is built: the same for the same sources, wherever and whenever. Tests are not built. */
function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    for (const file of filesIn(path)) hash.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex').slice(0, 10);
}

function filesIn(path) {
  if (!statSync(path).isDirectory()) return /\.test\.tsx?$/.test(path) ? [] : [path];
  return readdirSync(path)
    .sort()
    .flatMap(name => filesIn(join(path, name)));
}

/** The types of `drover/client`, in one file that imports nothing. */
function typings() {
  const run = (command, args) => execFileSync(command, args, { encoding: 'utf8' });
  run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.types.json']);
  const types = run(process.execPath, ['scripts/run-ts.mjs', 'scripts/schema-types.ts']);
  const declared = ['contract/error.d.ts', 'client/library.d.ts']
    .map(file => readFileSync(`.cache/types/${file}`, 'utf8'))
    .join('\n')
    .replace(/^import .*$/gm, '')
    .replace(/^export \{.*\} from .*$/gm, '')
    .replace(/^    private readonly reach;$/m, '')
    .replace('constructor(reach: Reach);', 'private constructor();');
  writeFileSync(`${out}/client.d.ts`, `${types}\n${declared}`);
}

/** The licence text of every package that went into the bundles. */
function licences(paths) {
  const names = new Set(paths.flatMap(path => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  return [...names]
    .sort()
    .map(name => {
      const { version: v, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
      const texts = ['LICENSE', 'LICENSE.md', 'license'].map(file => read(`node_modules/${name}/${file}`));
      return `${name} ${v} (${license})\n\n${texts.find(Boolean) ?? ''}`;
    })
    .join('\n----\n\n');
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
