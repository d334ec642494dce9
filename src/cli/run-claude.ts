/** Runs `claude` with arguments that `cld` does not handle itself. */
import { locateCli } from '../claude/find-cli.ts';
import { clean } from '../client/text.ts';
import { readConfig } from '../daemon/config.ts';
import { pathsFrom } from '../paths.ts';
import { runInTerminal } from '../resume/run-in-terminal.ts';

/** Runs Claude Code in this directory and returns its exit code. */
export const runClaude = async (argv: string[]): Promise<number> => {
  const { env } = process;
  try {
    const claude = locateCli(env, readConfig(pathsFrom(env).config).claude)?.path;
    if (!claude) throw new Error('`claude` was not found on PATH or in its usual places');
    return await runInTerminal({ argv: [claude, ...argv], dir: process.cwd(), env });
  } catch (error) {
    process.stderr.write(`drover: ${clean((error as Error).message)}\n`);
    return 6;
  }
};
