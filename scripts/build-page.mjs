// Bundles the page into <out>/web: app.js, which loads one chunk with everything that is needed at first, and a chunk for
// each view that is loaded when it is first shown. The names of chunks contain a hash of their content.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { build } from 'esbuild';

const main = resolve('src/web/main.tsx');

const common = {
  bundle: true,
  format: 'esm',
  platform: 'browser',
  jsx: 'automatic',
  target: ['chrome111', 'firefox113', 'safari16.4'],
  minify: true,
  // Its version for browsers assigns to innerHTML, which the policy of the page forbids.
  alias: {
    'decode-named-character-reference': resolve('node_modules/decode-named-character-reference/index.js'),
  },
  legalComments: 'none',
  logLevel: 'warning',
};

/**
 * Adds the whole first load to the imports of each lazily loaded view. esbuild makes a chunk for each combination of views that
 * share a file. With this there is a single chunk for the first load instead of a dozen.
 */
const lazyViews = {
  name: 'lazy-views',
  setup(builder) {
    builder.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, importer }) =>
      kind === 'dynamic-import'
        ? { path: resolve(dirname(importer), path), pluginData: { isLazy: true } }
        : undefined,
    );
    builder.onLoad({ filter: /\.tsx?$/ }, ({ path, pluginData }) =>
      pluginData?.isLazy
        ? {
            contents: `import ${JSON.stringify(main)};\n${readFileSync(path, 'utf8')}`,
            loader: extname(path).slice(1),
          }
        : undefined,
    );
  },
};

/** Builds the page and returns the names of all files that went into it. */
export async function buildPage(out) {
  const web = resolve(out, 'web');
  const define = { 'process.env.NODE_ENV': '"production"' };
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: { app: main },
    entryNames: '[name]',
    chunkNames: 'chunks/[name]-[hash]',
    outdir: web,
    splitting: true,
    define,
    metafile: true,
    write: false,
    plugins: [lazyViews],
  });
  mkdirSync(join(web, 'chunks'), { recursive: true });
  const chunks = [];
  for (const { path, contents } of outputFiles) {
    // The styles of all views are in app.css: together they are smaller than a request is worth.
    if (path.endsWith('.css') && basename(path) !== 'app.css') continue;
    writeFileSync(path, contents);
    if (dirname(path) !== web) chunks.push(`/page/chunks/${basename(path)}`);
  }
  const worker = await build({
    ...common,
    entryPoints: { sw: 'src/web/worker/sw.ts' },
    outdir: web,
    define: { ...define, PAGE_CHUNKS: JSON.stringify(chunks.sort()) },
    metafile: true,
  });
  const html = readFileSync('src/web/index.html', 'utf8');
  const preloads = firstChunks(metafile).map(
    name => `<link rel="modulepreload" href="/page/chunks/${name}" />`,
  );
  writeFileSync(join(web, 'index.html'), html.replace(/(?=<script )/, `${preloads.join('\n    ')}\n    `));
  for (const file of ['manifest.webmanifest', 'icon-192.png', 'icon-512.png'])
    copyFileSync(`src/web/${file}`, join(web, file));
  return [...Object.keys(metafile.inputs), ...Object.keys(worker.metafile.inputs)];
}

/** The chunks that app.js imports at once, so that the browser need not read it to learn of them. */
function firstChunks({ outputs }) {
  const found = new Set();
  const visit = name => {
    for (const { path, kind } of outputs[name].imports) {
      if (kind !== 'import-statement' || found.has(path)) continue;
      found.add(path);
      visit(path);
    }
  };
  visit(Object.keys(outputs).find(name => outputs[name].entryPoint === 'src/web/main.tsx'));
  return [...found].map(path => basename(path));
}
