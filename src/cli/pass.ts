/** What `cld` does not know is Claude Code's: started here, with the words as they are. */
import { locateCli } from '../claude/find-cli.ts';
import { clean } from '../client/text.ts';
import { readConfig } from '../daemon/config.ts';
import { pathsFrom } from '../paths.ts';
import { start } from '../resume/start.ts';

/** Starts Claude Code with these words; its exit code is the answer. */
export const pass = async (argv: string[]): Promise<number> => {
  const { env } = process;
  try {
    const claude = locateCli(env, readConfig(pathsFrom(env).config).claude)?.path;
    if (!claude) throw new Error('no `claude` was found on PATH or in its usual places');
    return await start({ argv: [claude, ...argv], dir: process.cwd(), env });
  } catch (error) {
    process.stderr.write(`drover: ${clean((error as Error).message)}\n`);
    return 6;
  }
};
