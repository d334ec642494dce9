/** Runs `claude` with arguments that `cld` does not handle itself. */
import { locateCli } from '../claude/find-cli.ts';
import { clean } from '../client/text.ts';
import { readConfig } from '../daemon/config.ts';
import { pathsFrom } from '../paths.ts';
import { shellLine } from '../resume/plan.ts';
import { runInTerminal } from '../resume/run-in-terminal.ts';

/** Runs Claude Code in this directory and returns its exit code; a dry run only prints the command. */
export const runClaude = async (argv: string[], isDryRun = false): Promise<number> => {
  const { env } = process;
  try {
    const claude = locateCli(env, readConfig(pathsFrom(env).config).claude)?.path;
    if (!claude) throw new Error('`claude` was not found on PATH or in its usual places');
    if (isDryRun) {
      process.stdout.write(`directory  ${process.cwd()}\ncommand    ${shellLine([claude, ...argv])}\n`);
      return 0;
    }
    return await runInTerminal({ argv: [claude, ...argv], dir: process.cwd(), env });
  } catch (error) {
    process.stderr.write(`drover: ${clean((error as Error).message)}\n`);
    return 6;
  }
};
