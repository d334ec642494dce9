/** Parses the command line and runs the verb. */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { DroverError, errors } from '../contract/error.ts';
import { pathsFrom } from '../paths.ts';
import { isSupported } from '../platform/system.ts';
import { build, daemonBuild } from '../version.ts';
import { cldCall } from './cld-args.ts';
import { type Output, outputTo } from './output/output.ts';
import { overview, verbHelp } from './output/help.ts';
import { startIfAllowed } from './start-if-allowed.ts';
import type { Call, Option, Verb } from './verb.ts';
import { verbGroups, verbs } from './table/verbs.ts';

/** Runs a command line and returns its exit code. Never throws. `program` is the name it was called by. */
export const dispatch = async (given: string[], program = 'drover'): Promise<number> => {
  let isJson = given.includes('--json');
  const output = outputTo({ out: process.stdout, err: process.stderr }, () => isJson);
  const { out } = output;
  // `drover events | head` closes the pipe; that is not an error.
  process.stdout.on('error', () => process.exit(0));
  if (program === 'menu-driver.sh') return (await import('./menu-driver.ts')).runMenuDriver(given);
  const asCld = program === 'cld' ? cldCall(given) : { drover: given };
  if ('claude' in asCld) return (await import('./run-claude.ts')).runClaude(asCld.claude, asCld.isDryRun);
  const argv = asCld.drover;
  const [name = 'board', ...args] = argv;
  const verb = verbs.find(row => row.name === name);
  try {
    if (!isSupported) throw new DroverError('unsupported', 'Drover does not run on Windows.');
    if (name === 'help' || name === '--help' || name === '-h') return await printHelp(out, args[0]);
    if (name === '--version' || name === '-V' || name === 'version') {
      out(build);
      return 0;
    }
    if (!verb) throw await unknownCommand(name);
    const call = parse(verb, args, output);
    isJson = call.options.json === true;
    if (call.options.help) {
      out(verbHelp(verb));
      return 0;
    }
    if (verb.daemon) await startIfAllowed(call);
    const { run } = await verb.load();
    return await run(call);
  } catch (error) {
    return fail(await namedError(error), isJson, output, verb);
  }
};

const printHelp = async (out: (text: string) => void, name: string | undefined): Promise<number> => {
  const verb = verbs.find(row => row.name === name);
  if (name && !verb) throw await unknownCommand(name);
  out(verb ? verbHelp(verb) : overview(verbGroups));
  return 0;
};

const parse = (verb: Verb, argv: string[], output: Output): Call => {
  const cut = argv.indexOf('--');
  const rest = cut < 0 ? [] : argv.slice(cut + 1);
  const known: Record<string, Option> = { ...verb.options, help: { short: 'h', help: '' } };
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { value, short, repeatable }]) => [
      name,
      {
        type: value ? ('string' as const) : ('boolean' as const),
        ...(short ? { short } : {}),
        ...(repeatable ? { multiple: true } : {}),
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
    if (rest.length && !verb.passThrough) throw new Error('does not accept arguments after --');
    const maxArgs =
      verb.args === ''
        ? 0
        : verb.args.includes('...')
          ? Number.POSITIVE_INFINITY
          : verb.args.split(' ').length;
    if (positionals.length > maxArgs)
      throw new Error(`unexpected argument ${JSON.stringify(positionals[maxArgs])}`);
    return {
      verb,
      args: positionals,
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
      // Node adds advice about `--` that does not apply here.
      `drover ${verb.name}: ${(error as Error).message.replace(/\. To specify a positional.*/s, '.')}`,
      `See \`drover ${verb.name} --help\`.${verb.passThrough ? ' Put arguments for claude after `--`.' : ''}`,
    );
  }
};

const fail = (error: unknown, json: boolean, { out, err }: Output, verb?: Verb): number => {
  const known = error instanceof DroverError ? error : unexpected(error);
  if (json) out(JSON.stringify(known));
  // Messages about the usage of a command begin with its name.
  const prefix = known.message.startsWith('drover ') ? '' : 'drover: ';
  const isGeneral = verb && known.code === 'usage' && known.hint === errors.usage.hint;
  err(`${prefix}${known.message}\n  ${isGeneral ? `See \`drover ${verb.name} --help\`.` : known.hint}`);
  if (known !== error && process.env.DROVER_DEBUG) err(String((error as Error).stack));
  return verb?.exits?.[known.code] ?? known.exit;
};

/** Names DROVER_HOME where it cannot be used: any command may find that out first. */
const namedError = async (error: unknown): Promise<unknown> => {
  const { code, path } = error as NodeJS.ErrnoException;
  const paths = pathsFrom(process.env);
  const isHome = path === paths.home || path?.startsWith(`${paths.home}/`) === true;
  if (!isHome || !['ENOTDIR', 'EROFS', 'EACCES', 'EPERM'].includes(code ?? '')) return error;
  return (await import('../files/prepare-home.ts')).unusableHome(paths, error as NodeJS.ErrnoException);
};

/** An error that nobody expected. An answer of a daemon of another build may have no field that this command reads. */
const unexpected = (error: unknown): DroverError => {
  const { other } = daemonBuild;
  const text = error instanceof Error ? error.message : String(error);
  return other === null
    ? new DroverError('failed', text)
    : new DroverError(
        'other_build',
        `The daemon is version ${other}, and this command, ${build}, cannot read its answer.`,
      );
};

const unknownCommand = async (name: string): Promise<DroverError> => {
  const { nearestVerb } = await import('./nearest-verb.ts');
  const guess = nearestVerb(
    basename(name),
    verbs.map(verb => verb.name),
  );
  return new DroverError(
    'usage',
    `Unknown command ${JSON.stringify(name)}.`,
    guess
      ? `Did you mean \`drover ${guess}\`? \`drover --help\` lists all commands.`
      : '`drover --help` lists all commands.',
  );
};
