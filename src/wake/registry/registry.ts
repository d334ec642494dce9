/**
 * Which session wakes which agents. Every lookup checks whether config.json, or a registry that it follows, has changed and reads
 * it again if so. A change therefore counts from the next event on, without a watcher that could miss it.
 */
import { readFileSync } from 'node:fs';
import { parentVariable } from '../../claude/markers.ts';
import type { Pane, Session } from '../../contract/session.ts';
import type { RegistryProblem, WakeAgent } from '../../contract/wake.ts';
import { isWithin, realFolder } from '../../files/folder.ts';
import { processEnv } from '../../platform/processes.ts';
import { isRemote } from '../../contract/origin.ts';
import { stampOf } from './file-stamp.ts';
import { FollowedRegistry } from './followed-registry.ts';
import { type ParsedFile, type ParsedRegistry, parseRegistry, tmuxNameOf } from './parse-registry.ts';

export class Registry {
  private own: ParsedFile = { agents: [], problems: [], broken: false, global: {}, registries: [] };
  private stamp = '';
  private readonly followed = new Map<string, FollowedRegistry>();
  /** The parent of each session by id, kept because the process may be gone by the next lookup. */
  private readonly parents = new Map<string, string | null>();

  constructor(
    private readonly file: string,
    /** Returns the predecessors of a session, nearest first. */
    private readonly ancestors: (id: string) => string[] = () => [],
    /** Returns the session that started a managed one, where the platform does not show the environment of its process. */
    private readonly startedBy: (id: string) => string | null = () => null,
    /** Told once of each problem in a followed registry. */
    private readonly warn: (problem: RegistryProblem) => void = () => {},
  ) {}

  /** Read agents and problems. A file that is not valid JSON reports its problem and keeps the previous agents. */
  read(): ParsedRegistry {
    const stamp = stampOf(this.file);
    if (stamp !== this.stamp) {
      this.stamp = stamp;
      const found = parseRegistry(textOf(this.file));
      this.own = found.broken ? { ...this.own, problems: found.problems } : found;
    }
    const { agents, problems, registries, global } = this.own;
    if (registries.length === 0) return { agents, problems };
    const others = registries.map(file => this.follow(file).read(global));
    return {
      agents: withoutDuplicates([...agents, ...others.flatMap(other => other.agents)]),
      problems: [...problems, ...others.flatMap(other => other.problems)],
    };
  }

  private follow(file: string): FollowedRegistry {
    const known = this.followed.get(file) ?? new FollowedRegistry(file, this.warn);
    this.followed.set(file, known);
    return known;
  }

  agent(id: string): WakeAgent | undefined {
    return this.read().agents.find(agent => agent.id === id);
  }

  /**
   * List the agents that a session wakes. Sessions outside tmux, on another host or without a terminal wake none.
   * A session reported over HTTP wakes the agents that name its origin.
   */
  agentsOf(session: Session): WakeAgent[] {
    const { origin } = session;
    if (origin)
      return session.headless ? [] : this.active(({ entry }) => entry.origins?.includes(origin) === true);
    if (!isEligible(session)) return [];
    const related = this.relatedOf(session);
    return this.active(agent => watches(agent, session, related));
  }

  private active(matches: (agent: WakeAgent) => boolean): WakeAgent[] {
    return this.read().agents.filter(agent => agent.inactive === null && matches(agent));
  }

  /** Ids of the session and of its parent, each with its predecessors. Computed once, when an entry needs them. */
  private relatedOf(session: Session): RelatedIds {
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
    const env = processEnv(pid, [parentVariable] as const);
    const parent = (env ? env[parentVariable] : this.startedBy(id)) ?? null;
    if (this.parents.size >= parentsKept) this.parents.clear();
    this.parents.set(id, parent);
    return parent;
  }
}

const parentsKept = 10_000;

interface RelatedIds {
  own: () => string[];
  parents: () => string[];
}

const watches = ({ entry }: WakeAgent, session: Session, { own, parents }: RelatedIds): boolean => {
  const name = tmuxNameOf(entry);
  if (name !== null && name === session.pane?.session) return true;
  if (entry.project && session.dir !== null && isWithin(realFolder(session.dir), realFolder(entry.project)))
    return true;
  if (entry.sessions?.length && isNamed(entry.sessions, own())) return true;
  return Boolean(entry.parent) && isNamed([entry.parent as string], parents());
};

const isNamed = (prefixes: string[], ids: string[]): boolean =>
  ids.some(id => prefixes.some(prefix => normalized(id).startsWith(normalized(prefix))));

/** Check for a session in a tmux pane of this machine with an interactive prompt. */
export const isEligible = <T extends Session>(session: T): session is T & { pane: Pane } =>
  session.pane !== null && !isRemote(session) && !session.headless;

const normalized = (id: string): string => id.replaceAll('-', '').toLowerCase();

/** An entry of config.json wins over one with the same id elsewhere, and an earlier registry over a later one. */
const withoutDuplicates = (agents: WakeAgent[]): WakeAgent[] =>
  agents.filter(({ id }, at) => agents.findIndex(agent => agent.id === id) === at);

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
