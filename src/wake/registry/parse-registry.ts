/** Parse the agents of config.json. A bad entry is reported with its line and skipped; the others work. */
import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type * as z from 'zod';
import { Agent, HookSettings, type RegistryProblem, type WakeAgent } from '../../contract/wake.ts';
import { resolveSettings } from './settings.ts';

export interface ParsedRegistry {
  agents: WakeAgent[];
  problems: RegistryProblem[];
}

/** `broken`: the text is not a JSON object. The one problem has the line. */
export const parseRegistry = (text: string): ParsedRegistry & { broken: boolean } => {
  const errors: ParseError[] = [];
  const root = text.trim() === '' ? undefined : parseTree(text, errors, { disallowComments: true });
  const fault = errors[0];
  if (fault || (root && root.type !== 'object')) {
    const problem = {
      line: lineOf(text, fault?.offset ?? 0),
      where: '(file)',
      reason: 'is not a JSON object',
    };
    return { agents: [], problems: [problem], broken: true };
  }
  const value = (text.trim() === '' ? {} : JSON.parse(text)) as { agents?: unknown; hook_settings?: unknown };
  const problems: RegistryProblem[] = [];
  const report = (path: (string | number)[], reason: string) => {
    problems.push({ line: lineAt(text, root, path), where: nameOf(path), reason });
  };
  const global = globalSettings(value.hook_settings, report);
  const agents: WakeAgent[] = [];
  const list = value.agents ?? [];
  if (!Array.isArray(list)) report(['agents'], 'is not a list');
  for (const [n, entry] of Array.isArray(list) ? list.entries() : []) {
    const parsed = Agent.safeParse(entry);
    if (!parsed.success) {
      for (const issue of parsed.error.issues) report(['agents', n, ...pathOf(issue)], messageOf(issue));
      continue;
    }
    const agent = parsed.data;
    if (agents.some(({ id }) => id === agent.agent_id)) {
      report(['agents', n, 'agent_id'], `${JSON.stringify(agent.agent_id)} is used twice`);
      continue;
    }
    agents.push({
      id: agent.agent_id,
      entry: agent,
      settings: resolveSettings(agent.hook_settings ?? {}, global),
      inactive: inactiveReason(agent),
    });
  }
  return { agents, problems, broken: false };
};

/** Return the tmux session that an entry names, under either field name. */
export const tmuxNameOf = ({ tmux_session_name: name, session_name: later }: Agent): string | null =>
  name ?? later ?? null;

/** Parse field by field: a bad one is reported and ignored. */
const globalSettings = (
  value: unknown,
  report: (path: (string | number)[], reason: string) => void,
): HookSettings => {
  if (value === undefined || value === null) return {};
  const parsed = HookSettings.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) report(['hook_settings', ...pathOf(issue)], messageOf(issue));
  const bad = new Set(parsed.error.issues.map(issue => String(issue.path[0])));
  const good = Object.entries(value).filter(([name]) => !bad.has(name));
  return HookSettings.safeParse(Object.fromEntries(good)).data ?? {};
};

const inactiveReason = (agent: Agent): string | null => {
  const missing = [
    ...(tmuxNameOf(agent) || agent.project || agent.sessions?.length || agent.parent || agent.origins?.length
      ? []
      : ['tmux_session_name, project, sessions, parent or origins']),
    ...(agent.openclaw_session_id || agent.deliver || agent.parent ? [] : ['openclaw_session_id or deliver']),
  ];
  if (missing.length) return `without ${missing.join(' and ')}`;
  return agent.enabled ? null : 'paused';
};

const pathOf = (issue: z.core.$ZodIssue): (string | number)[] =>
  issue.path.map(step => (typeof step === 'number' ? step : String(step)));

const messageOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_union' ? 'needs exactly one of command, webhook and session' : issue.message;

const nameOf = (path: (string | number)[]): string =>
  path.reduce<string>(
    (name, step) => (typeof step === 'number' ? `${name}[${step}]` : name ? `${name}.${step}` : step),
    '',
  );

/** Find the line of the value, or of its nearest parent that exists. */
const lineAt = (text: string, root: Node | undefined, path: (string | number)[]): number => {
  for (let length = path.length; root && length >= 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node) return lineOf(text, node.offset);
  }
  return 1;
};

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
