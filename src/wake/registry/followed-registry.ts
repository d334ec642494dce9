/** A registry that other programs maintain. It is read again whenever it has changed. */
import { existsSync, readFileSync, statSync, type Stats } from 'node:fs';
import type { HookSettings, RegistryProblem } from '../../contract/wake.ts';
import { isPrivateGroup } from '../../platform/private-group.ts';
import { stampOf } from './file-stamp.ts';
import { type ParsedRegistry, parseRegistry } from './parse-registry.ts';

export class FollowedRegistry {
  private parsed: ParsedRegistry = { agents: [], problems: [] };
  private stamp = '';

  constructor(
    private readonly file: string,
    private readonly warn: (problem: RegistryProblem) => void = () => {},
  ) {}

  /**
   * Read it if it has changed. Half written, or writable for others, it keeps the agents that it had and warns once; removed, it
   * has none. `base`: settings of config.json.
   */
  read(base: HookSettings): ParsedRegistry {
    const stamp = `${stampOf(this.file)} ${JSON.stringify(base)}`;
    if (stamp === this.stamp) return this.parsed;
    this.stamp = stamp;
    const reason = problemOf(this.file);
    const { file } = this;
    const agents = existsSync(file) ? this.parsed.agents : [];
    if (reason === null) {
      const { broken, ...found } = parseRegistry(textOf(file), file, base);
      this.parsed = { agents: broken ? agents : found.agents, problems: found.problems };
    } else {
      const kept = agents.length > 0 ? `; the agents that it had before stay (${agents.length})` : '';
      this.parsed = { agents, problems: [{ file, line: 1, where: '(file)', reason: `${reason}${kept}` }] };
    }
    for (const problem of this.parsed.problems) this.warn(problem);
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
  const isOpen = (stats.mode & 0o002) !== 0 || ((stats.mode & 0o020) !== 0 && !isPrivateGroup(stats.gid));
  return isOpen ? 'can be written by other users (`chmod go-w` helps)' : null;
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
