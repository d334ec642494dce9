// Bundles each verb into dist/ with esbuild; dependencies go in, so that a command loads only what it uses.
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

rmSync('dist', { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: ['src/main.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  // jsonc-parser's main is UMD, which cannot be bundled; its module form can.
  mainFields: ['module', 'main'],
  target: 'node20.19',
  external: ['@photostructure/sqlite'],
  loader: { '.sh': 'text' },
  define: { DROVER_VERSION: JSON.stringify(version) },
  legalComments: 'none',
  metafile: true,
  chunkNames: '[name]-[hash]',
  logLevel: 'warning',
});
chmodSync('dist/main.js', 0o755);
writeFileSync('dist/LICENSES.txt', licences(Object.keys(metafile.inputs)));

/** The licence text of every package that went into the bundle. */
function licences(inputs) {
  const names = new Set(inputs.flatMap(path => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  return [...names]
    .sort()
    .map(name => {
      const { version: v, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
      const file = ['LICENSE', 'LICENSE.md', 'license'].map(f => `node_modules/${name}/${f}`);
      const text = file.map(f => read(f)).find(Boolean) ?? '';
      return `${name} ${v} (${license})\n\n${text}`;
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
