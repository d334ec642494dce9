/** From the words on the command line to a verb's run. */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { DroverError } from '../contract/error.ts';
import { pathsFrom } from '../paths.ts';
import { version } from '../version.ts';
import { cldWords } from './cld.ts';
import { type Output, outputTo } from './output/output.ts';
import { overview, verbHelp } from './output/help.ts';
import { revive } from './revive.ts';
import type { Call, Option, Verb } from './verb.ts';
import { verbs } from './verbs.ts';

/** Runs a command line and returns its exit code. Nothing is thrown. `program` is the name it was called by. */
export const dispatch = async (given: string[], program = 'drover'): Promise<number> => {
  let isJson = given.includes('--json');
  const output = outputTo({ out: process.stdout, err: process.stderr }, () => isJson);
  const { out } = output;
  // A reader that goes away (`drover events | head`) is no error.
  process.stdout.on('error', () => process.exit(0));
  const argv = program === 'cld' ? cldWords(given) : given;
  if (!argv) return (await import('./pass.ts')).pass(given);
  const [name = 'board', ...words] = argv;
  const verb = verbs.find(row => row.name === name);
  try {
    if (process.platform === 'win32')
      throw new DroverError('unsupported', 'Drover does not run on Windows itself.');
    if (name === 'help' || name === '--help' || name === '-h') return say(out, words[0]);
    if (name === '--version' || name === '-V' || name === 'version') {
      out(version);
      return 0;
    }
    if (!verb) throw new DroverError('usage', `There is no command ${JSON.stringify(name)}.`, nearest(name));
    const call = parse(verb, words, output);
    isJson = call.options.json === true;
    if (call.options.help) {
      out(verbHelp(verb));
      return 0;
    }
    if (verb.daemon) await revive(call);
    const { run } = await verb.load();
    return await run(call);
  } catch (error) {
    return fail(error, isJson, output, verb);
  }
};

const say = (out: (text: string) => void, name: string | undefined): number => {
  const verb = verbs.find(row => row.name === name);
  if (name && !verb)
    throw new DroverError('usage', `There is no command ${JSON.stringify(name)}.`, nearest(name));
  out(verb ? verbHelp(verb) : overview(verbs));
  return 0;
};

const parse = (verb: Verb, argv: string[], output: Output): Call => {
  const cut = argv.indexOf('--');
  const rest = cut < 0 ? [] : argv.slice(cut + 1);
  const known: Record<string, Option> = { ...verb.options, help: { short: 'h', help: '' } };
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value, short, many }]) => [
      name,
      {
        type: value ? ('string' as const) : ('boolean' as const),
        ...(short ? { short } : {}),
        ...(many ? { multiple: true } : {}),
      },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: cut < 0 ? argv : argv.slice(0, cut),
      options,
      allowPositionals: true,
      strict: true,
    });
    if (rest.length && !verb.passThrough) throw new Error('nothing can follow --');
    const most =
      verb.words === ''
        ? 0
        : verb.words.includes('...')
          ? Number.POSITIVE_INFINITY
          : verb.words.split(' ').length;
    if (positionals.length > most) throw new Error(`unexpected ${JSON.stringify(positionals[most])}`);
    return {
      verb,
      words: positionals,
      options: values as Call['options'],
      rest,
      env: process.env,
      paths: pathsFrom(process.env),
      cwd: process.cwd(),
      ...output,
      tty: process.stdout.isTTY === true,
    };
  } catch (error) {
    throw new DroverError(
      'usage',
      // Node goes on with what `--` means elsewhere.
      `drover ${verb.name}: ${(error as Error).message.replace(/\. To specify a positional.*/s, '.')}`,
      `See \`drover ${verb.name} --help\`.${verb.passThrough ? ' What is not for drover goes behind `--`.' : ''}`,
    );
  }
};

const fail = (error: unknown, json: boolean, { out, err }: Output, verb?: Verb): number => {
  const known =
    error instanceof DroverError
      ? error
      : new DroverError('failed', error instanceof Error ? error.message : String(error));
  if (json) out(JSON.stringify(known));
  err(`drover: ${known.message}\n  ${known.hint}`);
  if (known !== error && process.env.DROVER_DEBUG) err(String((error as Error).stack));
  return verb?.exits?.[known.code] ?? known.exit;
};

const nearest = (name: string): string => {
  const guess = verbs.find(verb => verb.name.startsWith(basename(name).slice(0, 2)));
  return guess
    ? `Did you mean \`drover ${guess.name}\`? \`drover --help\` lists all.`
    : '`drover --help` lists all commands.';
};
