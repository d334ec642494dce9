/** Finds unit tests that only call functions: they share a thread and its loaded modules, which takes a seventh of the time. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a test says that leaves something behind in its process, or depends on what others left there: mocks, clocks, the environment,
 * the working directory, signals.
 */
const changesProcess = /\bvi\.(?!waitFor|fn)|\bprocess\.(?!execPath|pid|platform|version|cwd)/;

export const isPure = (text: string): boolean => !changesProcess.test(text);

/** The unit tests below a folder, pure ones and others. */
export function unitTests(folder: string): { pure: string[]; others: string[] } {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .map(name => join(folder, name));
  const isPureFile = new Map(files.map(file => [file, isPure(readFileSync(file, 'utf8'))]));
  return {
    pure: files.filter(file => isPureFile.get(file)),
    others: files.filter(file => !isPureFile.get(file)),
  };
}
