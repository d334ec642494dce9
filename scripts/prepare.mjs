// Installs the packages of the lockfile and builds if sources are newer than the build, for `npm start` and `npm test`.
import './check-node.mjs';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

if (spawnSync('tmux', ['-V']).error)
  fail('tmux is not installed. Install tmux 3.2 or newer (e.g. `apt-get install tmux`).');

const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex');
if (read('node_modules/.drover-lock') !== lock) {
  console.error('Installing packages …');
  // Not `ci`: it rejects a lockfile without the optional packages of other platforms, as npm writes it.
  npm('install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error');
  writeFileSync('node_modules/.drover-lock', lock);
}

// The file that a build writes last: one that failed is repeated.
const last = 'dist/client.d.ts';
const built = existsSync(last) ? statSync(last).mtimeMs : 0;
const sources = ['src', 'scripts/build.mjs', 'scripts/build-page.mjs', 'package.json'];
if (Math.max(...sources.map(newest)) > built) {
  console.error('Building …');
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
}

function npm(...args) {
  const { status } = spawnSync('npm', args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) fail(`npm ${args[0]} failed; see its output above.`);
}

function newest(path) {
  const facts = statSync(path);
  if (!facts.isDirectory()) return facts.mtimeMs;
  return Math.max(0, ...readdirSync(path).map(name => newest(join(path, name))));
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    mkdirSync('node_modules', { recursive: true });
    return '';
  }
}

function fail(message) {
  console.error(`drover: ${message}`);
  process.exit(1);
}
