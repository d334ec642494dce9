/** A registry that other programs maintain. It is read again whenever it has changed. */
import { existsSync, readFileSync, statSync, type Stats } from 'node:fs';
import { userInfo } from 'node:os';
import type { HookSettings, RegistryProblem } from '../../contract/wake.ts';
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

/**
 * Whether a group has the user as its only member, as distributions make one for each user: with it, umask is 002, and every
 * new file can be written by the group. A group that these files do not list may have other members.
 */
export const isPrivateGroup = (
  gid: number,
  user: string = userInfo().username,
  groups: string = textOf('/etc/group'),
  users: string = textOf('/etc/passwd'),
): boolean => {
  const fieldsOf = (text: string) => text.split('\n').map(line => line.split(':'));
  const group = fieldsOf(groups).find(([, , id]) => id === String(gid));
  if (!group) return false;
  const members = (group[3] ?? '').split(',').filter(Boolean);
  const others = fieldsOf(users).filter(([name, , , id]) => id === String(gid) && name !== user);
  return members.every(name => name === user) && others.length === 0;
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
