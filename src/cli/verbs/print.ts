/** `drover print`: runs one prompt through the interactive CLI and prints the answer. */
import { realpathSync } from 'node:fs';
import { isatty } from 'node:tty';
import { locateCli } from '../../claude/find-cli.ts';
import { trustVariable } from '../../claude/markers.ts';
import { configuredClaude } from '../../config/config-field.ts';
import { DroverError } from '../../contract/error.ts';
import { version } from '../../version.ts';
import { check } from '../../print/check.ts';
import { failureOf, PrintFailure } from '../../print/failure.ts';
import { pretrust } from '../../print/cli/pretrust.ts';
import { readPrompt } from '../../print/prompt.ts';
import { formats, policies, type Request } from '../../print/request.ts';
import { resultLine } from '../../print/result.ts';
import { Run } from '../../print/run.ts';
import { withConfig } from '../print/print-config.ts';
import { claudeFlags } from '../print/print-flags.ts';
import { Abort } from '../print/abort.ts';
import { holdingOf } from '../print/print-hold.ts';
import { PrintOutput } from '../print/print-output.ts';
import { warmWorkspace } from '../print/print-warm.ts';
import { type Call, flag, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  if (flag(call, 'version')) {
    call.out(version);
    return 0;
  }
  if (flag(call, 'clean') && !flag(call, 'check')) throw usage('--clean needs --check.');
  if (flag(call, 'check')) return await checked(call);
  const format = choice(call, 'output-format', formats);
  let print: Run | null = null;
  const output = new PrintOutput(format, call.err);
  const abort = new Abort();
  try {
    const request = await abort.or(requestOf(withConfig(call), format, abort));
    const warning = request.pretrust ? pretrust(request.env, request.cwd) : null;
    if (warning) call.err(`warning: ${warning}`);
    const log = flag(call, 'verbose') ? call.err : () => {};
    // Not aborted midway: a session taken from the pool must be stopped properly.
    const warm = flag(call, 'warm') ? await warmWorkspace(call, request, log) : null;
    const run = new Run(request, output, warm);
    print = run;
    abort.onAbort(failure => run.abort(failure));
    const answer = await run.answer();
    log(`session ${answer.sessionId ?? 'unknown'}, ${answer.account.turns} turns`);
    return await output.success(resultLine(answer));
  } catch (error) {
    return await output.failure(failureOf(error), print?.version ?? null, flag(call, 'show-child-stderr'));
  } finally {
    abort.close();
  }
};

const requestOf = async (call: Call, format: Request['format'], abort: Abort): Promise<Request> => {
  const wanted = text(call, 'claude-binary');
  const passed = claudeFlags(call);
  const limits = {
    overall: seconds(call, 'timeout', 3600),
    firstOutput: seconds(call, 'first-output-timeout', 90),
    firstLine: seconds(call, 'stream-json-timeout', 90),
    stop: seconds(call, 'stop-hook-timeout', 120),
  };
  const maxTurns = text(call, 'max-turns');
  if (maxTurns !== undefined && !/^[1-9]\d{0,3}$/.test(maxTurns))
    throw usage(`--max-turns must be a whole number from 1, not "${maxTurns}".`);
  const onPermission = choice(call, 'on-permission', policies, 'fail');
  const prompt = await readPrompt({
    file: text(call, 'input-file'),
    argument: call.args[0],
    stdin: () => {
      if (isatty(0)) return null;
      abort.onAbort(() => process.stdin.destroy());
      return process.stdin;
    },
  });
  const claude = locateCli(call.env, wanted ?? configuredClaude(call.paths.config));
  if (!claude || (wanted !== undefined && claude.path !== wanted && !claude.path.endsWith(`/${wanted}`)))
    throw new PrintFailure(
      'internal_error',
      wanted ? `program not found: ${wanted}` : 'claude was not found on PATH',
    );
  return {
    ...passed,
    prompt,
    format,
    claude,
    limits,
    maxTurns: maxTurns === undefined ? null : Number(maxTurns),
    inheritHooks: !flag(call, 'no-inherit-hooks'),
    onPermission,
    holding: onPermission === 'hold' ? await holdingOf(call, claude.version) : null,
    trust: flag(call, 'trust') || flag(call, 'trust-fallback'),
    pretrust: flag(call, 'pretrust-cwd'),
    // The CLI then trusts its folder without a dialog and writes nothing about it.
    env: flag(call, 'trust-once') && !flag(call, 'trust') ? { ...call.env, [trustVariable]: '1' } : call.env,
    cwd: realpathSync(call.cwd),
  };
};

const checked = async (call: Call): Promise<number> => {
  const claude = locateCli(call.env, text(call, 'claude-binary') ?? configuredClaude(call.paths.config));
  const checks = await check(call.env, claude, flag(call, 'clean'));
  for (const { what, problem, note } of checks)
    call.out(
      `${problem === null ? 'ok   ' : 'FAIL '} ${what}${problem || note ? `: ${problem ?? note}` : ''}`,
    );
  return checks.every(({ problem }) => problem === null) ? 0 : 2;
};

const seconds = (call: Call, name: string, fallback: number): number => {
  const given = text(call, name) ?? String(fallback);
  const value = Number(given);
  if (!(value > 0 && value <= 86_400)) throw usage(`--${name} must be seconds up to 86400, not "${given}".`);
  return value * 1000;
};

const choice = <Value extends string>(
  call: Call,
  name: string,
  values: readonly [Value, ...Value[]],
  fallback = values[0],
): Value => {
  const given = text(call, name) ?? fallback;
  const value = values.find(known => known === given);
  if (!value) throw usage(`--${name} must be one of ${values.join(', ')}, not "${given}".`);
  return value;
};

const usage = (message: string) => new DroverError('usage', message, 'See `drover print --help`.');
