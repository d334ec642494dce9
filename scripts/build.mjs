// Bundles into dist/ with esbuild: main.js, and a file of its own for whatever is imported when it is used, so that a
// command loads two files and nothing it does not need. CommonJS, because node starts it 6 ms faster than a module.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { build } from 'esbuild';

const out = process.argv[2] ?? 'dist';
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const inputs = new Set();
// The waiter is run by a hook, by its own name: it loads nothing but what it needs to wait.
const entries = new Map([
  ['main.js', resolve('src/main.ts')],
  ['client.js', resolve('src/client/library.ts')],
  ['waiter.js', resolve('src/client/waiter.ts')],
]);

// `import('./x.ts')` becomes `require('./<folder>-x.js')`, and that file an entry of its own.
const lazily = {
  name: 'lazily',
  setup(builder) {
    builder.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, importer }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file = resolve(dirname(importer), path);
      const name = relative('src', file)
        .replaceAll('/', '-')
        .replace(/\.tsx?$/, '.js');
      entries.set(name, file);
      return { path: `./${name}`, external: true };
    });
  },
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const [name, file] of entries) {
  const { metafile } = await build({
    entryPoints: [file],
    outfile: `${out}/${name}`,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    // jsonc-parser's main is UMD, which cannot be bundled; its module form can.
    mainFields: ['module', 'main'],
    target: 'node20.19',
    supported: { 'dynamic-import': false },
    external: ['@photostructure/sqlite'],
    loader: { '.sh': 'text' },
    define: { DROVER_VERSION: JSON.stringify(version), 'import.meta.url': '__url' },
    banner: { js: `const __url = require('node:url').pathToFileURL(__filename).href;` },
    plugins: [lazily],
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  for (const input of Object.keys(metafile.inputs)) inputs.add(input);
}
writeFileSync(`${out}/package.json`, '{ "type": "commonjs" }\n');
chmodSync(`${out}/main.js`, 0o755);
writeFileSync(`${out}/LICENSES.txt`, licences([...inputs]));

typings();

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
