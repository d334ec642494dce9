/** `npm run generate [--check]`: the files that are made from code. With --check it only says which are stale. */
import { readFileSync, writeFileSync } from 'node:fs';
import { generated } from './generated.ts';

const stale = Object.entries(generated()).filter(([file, text]) => read(file) !== text);
for (const [file, text] of stale) {
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  console.log(`${process.argv.includes('--check') ? 'stale' : 'wrote'}: ${file}`);
}
process.exitCode = process.argv.includes('--check') && stale.length > 0 ? 1 : 0;

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
