/** A registry that other programs maintain. It is read again whenever it has changed. */
import { readFileSync, statSync, type Stats } from 'node:fs';
import type { HookSettings } from '../../contract/wake.ts';
import { stampOf } from './file-stamp.ts';
import { type ParsedRegistry, parseRegistry } from './parse-registry.ts';

export class FollowedRegistry {
  private parsed: ParsedRegistry = { agents: [], problems: [] };
  private stamp = '';

  constructor(private readonly file: string) {}

  /** Read it if it has changed. Half written, it keeps the agents that it had. `base`: settings of config.json. */
  read(base: HookSettings): ParsedRegistry {
    const stamp = `${stampOf(this.file)} ${JSON.stringify(base)}`;
    if (stamp === this.stamp) return this.parsed;
    this.stamp = stamp;
    const problem = problemOf(this.file);
    if (problem !== null) {
      this.parsed = {
        agents: [],
        problems: [{ file: this.file, line: 1, where: '(file)', reason: problem }],
      };
      return this.parsed;
    }
    const { broken, agents, problems } = parseRegistry(textOf(this.file), this.file, base);
    this.parsed = { agents: broken ? this.parsed.agents : agents, problems };
    return this.parsed;
  }
}

/** Say why a file cannot be followed; null when it can. Its entries name programs to run, so nobody else may write there. */
export const problemOf = (file: string): string | null => {
  let stats: Stats;
  try {
    stats = statSync(file);
    readFileSync(file);
  } catch (error) {
    return `cannot be read: ${(error as Error).message}`;
  }
  const own = process.getuid?.();
  if (own !== undefined && stats.uid !== own && stats.uid !== 0) return 'belongs to another user';
  return stats.mode & 0o022 ? 'can be written by other users (`chmod go-w` helps)' : null;
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
