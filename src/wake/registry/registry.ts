/**
 * Who is to be woken by which session. config.json is looked at whenever somebody asks, and read again when it has changed:
 * a change counts from the next event on, and no watcher can miss it.
 */
import { readFileSync, statSync } from 'node:fs';
import { parentVariable } from '../../claude/markers.ts';
import type { Pane, Session } from '../../contract/session.ts';
import type { WakeAgent } from '../../contract/wake.ts';
import { isWithin, realFolder } from '../../folder.ts';
import { processEnv } from '../../proc.ts';
import { isElsewhere } from '../../contract/origin.ts';
import { parseRegistry, type RegistryText, tmuxNameOf } from './registry-text.ts';

export class Registry {
  private known: RegistryText = { agents: [], problems: [] };
  private stamp = '';
  /** Who started a session, by its id: its process may be gone when it is asked. */
  private readonly parents = new Map<string, string | null>();

  constructor(
    private readonly file: string,
    /** The sessions that this one followed, nearest first. */
    private readonly ancestors: (id: string) => string[] = () => [],
  ) {}

  /** Agents and problems as the file has them now. A file that breaks keeps the agents that it had. */
  read(): RegistryText {
    const stamp = stampOf(this.file);
    if (stamp === this.stamp) return this.known;
    this.stamp = stamp;
    const { broken, ...found } = parseRegistry(textOf(this.file));
    this.known = broken ? { agents: this.known.agents, problems: found.problems } : found;
    return this.known;
  }

  agent(id: string): WakeAgent | undefined {
    return this.read().agents.find(agent => agent.id === id);
  }

  /**
   * The agents that a session wakes. One outside tmux, elsewhere or without a terminal wakes nobody; one that is reported
   * over HTTP wakes the agents that name its origin.
   */
  agentsOf(session: Session): WakeAgent[] {
    const { origin } = session;
    if (origin)
      return session.headless ? [] : this.active(({ entry }) => entry.origins?.includes(origin) === true);
    if (!isEligible(session)) return [];
    const family = this.familyOf(session);
    return this.active(agent => watches(agent, session, family));
  }

  private active(fits: (agent: WakeAgent) => boolean): WakeAgent[] {
    return this.read().agents.filter(agent => agent.inactive === null && fits(agent));
  }

  /** Who a session is and follows, and who started it; looked for only when an entry asks, and then once. */
  private familyOf(session: Session): Family {
    const withAncestors = (id: string | null) => (id === null ? [] : [id, ...this.ancestors(id)]);
    let own: string[] | undefined;
    let parents: string[] | undefined;
    return {
      own: () => (own ??= withAncestors(session.id)),
      parents: () => (parents ??= withAncestors(this.parentOf(session))),
    };
  }

  private parentOf({ id, pid, managed }: Session): string | null {
    const known = this.parents.get(id);
    if (known !== undefined || !managed || pid === null) return known ?? null;
    const parent = processEnv(pid, [parentVariable] as const)[parentVariable] ?? null;
    if (this.parents.size >= parentsKept) this.parents.clear();
    this.parents.set(id, parent);
    return parent;
  }
}

const parentsKept = 10_000;

interface Family {
  own: () => string[];
  parents: () => string[];
}

const watches = ({ entry }: WakeAgent, session: Session, { own, parents }: Family): boolean => {
  const name = tmuxNameOf(entry);
  if (name !== null && name === session.pane?.session) return true;
  if (entry.project && session.dir !== null && isWithin(realFolder(session.dir), realFolder(entry.project)))
    return true;
  if (entry.sessions?.length && isNamed(entry.sessions, own())) return true;
  return Boolean(entry.parent) && isNamed([entry.parent as string], parents());
};

const isNamed = (prefixes: string[], ids: string[]): boolean =>
  ids.some(id => prefixes.some(prefix => bare(id).startsWith(bare(prefix))));

/** A session that lives in a pane of this machine, with a person's prompt line in it. */
export const isEligible = <T extends Session>(session: T): session is T & { pane: Pane } =>
  session.pane !== null && !isElsewhere(session) && !session.headless;

const bare = (id: string): string => id.replaceAll('-', '').toLowerCase();

const stampOf = (file: string): string => {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeNs}` : 'none';
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
