/**
 * Measures the rule for *asks you* on the labelled messages. The texts are not kept here: they are read from bare clones of the
 * repositories that labels.jsonl names, `<folder>/<owner>+<name>/repo`. A message that is not found is counted, and left out.
 *
 *   npm run asks -- <folder> [--wrong]
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { askingOf } from '../../src/session/outcome/asking.ts';
import { messagesIn } from './messages.ts';

interface Label {
  sha256: string;
  label: 'asks' | 'done';
  /** Labelled before the rule was run on it, and not used to write the rule. */
  heldOut: boolean;
  repo: string;
  commit: string;
  path: string;
  line: number;
}

const [folder, ...flags] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder of the clones.');

const labels = readFileSync(new URL('labels.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as Label);

const files = new Map<string, Map<string, string>>();

/** The messages of a file by their hash. */
const textsOf = ({ repo, commit, path }: Label): Map<string, string> => {
  const key = `${repo} ${commit} ${path}`;
  const known = files.get(key);
  if (known) return known;
  const texts = new Map<string, string>();
  try {
    const clone = join(folder, repo.replace('/', '+'), 'repo');
    const file = execFileSync('git', ['--git-dir', clone, 'show', `${commit}:${path}`], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    for (const { text } of messagesIn(path, file))
      texts.set(createHash('sha256').update(text).digest('hex'), text);
  } catch {
    // It is counted as missing below.
  }
  files.set(key, texts);
  return texts;
};

for (const heldOut of [false, true]) {
  const count = { right: 0, wrong: 0, missed: 0, done: 0, missing: 0 };
  for (const label of labels.filter(one => one.heldOut === heldOut)) {
    const text = textsOf(label).get(label.sha256);
    if (text === undefined) {
      count.missing++;
      continue;
    }
    const { part, sentence } = askingOf(text);
    const isAsking = sentence !== null;
    const outcome = label.label === 'asks' ? (isAsking ? 'right' : 'missed') : isAsking ? 'wrong' : 'done';
    count[outcome]++;
    if (flags.includes('--wrong') && (outcome === 'wrong' || outcome === 'missed'))
      console.log(`${outcome}: ${part} ${JSON.stringify(sentence ?? text.slice(-200))} (${label.path})`);
  }
  const { right, wrong, missed } = count;
  const percent = (part: number, of: number): string => `${((100 * part) / of).toFixed(1)} %`;
  console.log(
    `${heldOut ? 'held out' : 'used for the rule'}: precision ${percent(right, right + wrong)}, recall ${percent(right, right + missed)}, ${JSON.stringify(count)}`,
  );
}
