/** `claude -p`: hooks, exit codes, fields of the result, and the context window of each model. */
import { readFileSync } from 'node:fs';
import { modelNames } from '../binary.ts';
import { fieldsOf, sorted } from '../facts.ts';
import type { Probe } from '../probe.ts';

interface Result {
  modelUsage?: { [model: string]: { contextWindow?: number } };
}

export const headless = async (probe: Probe): Promise<void> => {
  const { world, fact } = probe;
  const ask = (prompt: string, args: string[] = []) =>
    world.headless({ prompt, args: ['--output-format', 'json', ...args] });

  const said = await ask('SAY hello');
  const result = JSON.parse(said.stdout) as Result;
  fact('headless.fires', sorted(await probe.firedAfterPause()));
  fact('headless.exitCode', said.code);
  fact('headless.resultFields', sorted(fieldsOf({ ...result, modelUsage: 0 })));
  fact(
    'headless.modelUsageFields',
    sorted(Object.values(result.modelUsage ?? {}).flatMap(one => fieldsOf(one))),
  );
  fact('headless.defaultModel', Object.keys(result.modelUsage ?? {}));
  fact('headless.exitCodeOnApiError', (await ask('FAIL')).code);
  fact('headless.exitCodeOnUnknownFlag', (await ask('SAY x', ['--no-such-flag'])).code);
  probe.fired();
};

/** The window of every model that the binary names, as the CLI itself counts it. */
export const windows = async (probe: Probe): Promise<void> => {
  const { world, fact } = probe;
  const found: { [model: string]: number } = {};
  const names = modelNames(readFileSync(probe.binary));
  for (const name of names.flatMap(name => (isLarge(name) ? [name, `${name}[1m]`] : [name]))) {
    const args = ['--output-format', 'json', '--model', name, '--setting-sources='];
    const { stdout } = await world.headless({ prompt: 'SAY x', args });
    // A retired name counts as another model.
    const usage = parse(stdout).modelUsage ?? {};
    const window = (usage[name] ?? usage[name.replace('[1m]', '')])?.contextWindow;
    if (window !== undefined) found[name] = window;
  }
  fact('windows', found);
};

/** Sold with a window of a million tokens under a name of its own. */
const isLarge = (name: string): boolean => /-(?:opus|sonnet)-(?:4-[5-9]|5)$/.test(name);

const parse = (text: string): Result => {
  try {
    return JSON.parse(text) as Result;
  } catch {
    return {};
  }
};
