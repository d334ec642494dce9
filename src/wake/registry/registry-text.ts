/** The text of config.json as a registry. A bad entry is named with its line and left out; the others work. */
import { findNodeAtLocation, type Node, type ParseError, parseTree } from 'jsonc-parser';
import type * as z from 'zod';
import { Agent, HookSettings, type RegistryProblem, type WakeAgent } from '../../contract/wake.ts';
import { settingsOf } from './settings.ts';

export interface RegistryText {
  agents: WakeAgent[];
  problems: RegistryProblem[];
}

/** `broken`: the text is no JSON object at all, and the one problem says where. */
export const parseRegistry = (text: string): RegistryText & { broken: boolean } => {
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
  const complain = (path: (string | number)[], reason: string) => {
    problems.push({ line: lineAt(text, root, path), where: nameOf(path), reason });
  };
  const global = globalSettings(value.hook_settings, complain);
  const agents: WakeAgent[] = [];
  const list = value.agents ?? [];
  if (!Array.isArray(list)) complain(['agents'], 'is not a list');
  for (const [n, entry] of Array.isArray(list) ? list.entries() : []) {
    const parsed = Agent.safeParse(entry);
    if (!parsed.success) {
      for (const issue of parsed.error.issues) complain(['agents', n, ...pathOf(issue)], wordsOf(issue));
      continue;
    }
    const agent = parsed.data;
    if (agents.some(({ id }) => id === agent.agent_id)) {
      complain(['agents', n, 'agent_id'], `${JSON.stringify(agent.agent_id)} stands there twice`);
      continue;
    }
    agents.push({
      id: agent.agent_id,
      entry: agent,
      settings: settingsOf(agent.hook_settings ?? {}, global),
      inactive: inactive(agent),
    });
  }
  return { agents, problems, broken: false };
};

/** The exact tmux session that an entry names. */
export const tmuxNameOf = ({ tmux_session_name: name, session_name: later }: Agent): string | null =>
  name ?? later ?? null;

/** Each field by itself: a bad one is as if it were not there. */
const globalSettings = (
  value: unknown,
  complain: (path: (string | number)[], reason: string) => void,
): HookSettings => {
  if (value === undefined || value === null) return {};
  const parsed = HookSettings.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) complain(['hook_settings', ...pathOf(issue)], wordsOf(issue));
  const bad = new Set(parsed.error.issues.map(issue => String(issue.path[0])));
  const good = Object.entries(value).filter(([name]) => !bad.has(name));
  return HookSettings.safeParse(Object.fromEntries(good)).data ?? {};
};

const inactive = (agent: Agent): string | null => {
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

const wordsOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_union'
    ? 'has none of command, webhook and session, or more than it may'
    : issue.message;

const nameOf = (path: (string | number)[]): string =>
  path.reduce<string>(
    (name, step) => (typeof step === 'number' ? `${name}[${step}]` : name ? `${name}.${step}` : step),
    '',
  );

/** The line of the value, or of the nearest thing around it that is there. */
const lineAt = (text: string, root: Node | undefined, path: (string | number)[]): number => {
  for (let length = path.length; root && length >= 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node) return lineOf(text, node.offset);
  }
  return 1;
};

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
