/** Parse the agents of config.json or of a followed registry. A bad entry is reported with its line and skipped; the others work. */
import { isAbsolute } from 'node:path';
import type * as z from 'zod';
import {
  type ConfigText,
  ConfigSyntaxError,
  fieldName,
  issuePath,
  parseConfigText,
} from '../../config/config-text.ts';
import { Agent, HookSettings, type RegistryProblem, type WakeAgent } from '../../contract/wake.ts';
import { resolveSettings } from './settings.ts';

export interface ParsedRegistry {
  agents: WakeAgent[];
  problems: RegistryProblem[];
}

export interface ParsedFile extends ParsedRegistry {
  /** The text is not a JSON object. The one problem has the line. */
  broken: boolean;
  /** The settings of the whole file. */
  global: HookSettings;
  /** The registries that config.json follows. */
  registries: string[];
}

/** `file`: the registry that the text is from, null for config.json; `base`: settings that apply after its own. */
export const parseRegistry = (
  text: string,
  file: string | null = null,
  base: HookSettings = {},
): ParsedFile => {
  let parsed: ConfigText;
  try {
    parsed = parseConfigText(text);
  } catch (error) {
    if (!(error instanceof ConfigSyntaxError)) throw error;
    const problem = { file, line: error.line, where: '(file)', reason: 'is not a JSON object' };
    return { agents: [], problems: [problem], broken: true, global: {}, registries: [] };
  }
  const { value, lineOf } = parsed;
  const problems: RegistryProblem[] = [];
  const report = (path: (string | number)[], reason: string) => {
    problems.push({ file, line: lineOf(path), where: fieldName(path), reason });
  };
  const own = globalSettings(value.hook_settings, report);
  const global = { ...base, ...own, triggers: { ...base.triggers, ...own.triggers } };
  const agents: WakeAgent[] = [];
  const list = value.agents ?? [];
  if (!Array.isArray(list)) report(['agents'], 'is not a list');
  for (const [n, entry] of Array.isArray(list) ? list.entries() : []) {
    const checked = Agent.safeParse(entry);
    if (!checked.success) {
      for (const issue of checked.error.issues) report(['agents', n, ...issuePath(issue)], messageOf(issue));
      continue;
    }
    const agent = checked.data;
    if (agents.some(({ id }) => id === agent.agent_id)) {
      report(['agents', n, 'agent_id'], `${JSON.stringify(agent.agent_id)} is used twice`);
      continue;
    }
    agents.push({
      id: agent.agent_id,
      entry: agent,
      settings: resolveSettings(agent.hook_settings ?? {}, global),
      inactive: inactiveReason(agent),
      file,
    });
  }
  const registries = file === null ? followed(value.registries, report) : [];
  return { agents, problems, broken: false, global, registries };
};

type Report = (path: (string | number)[], reason: string) => void;

const followed = (value: unknown, report: Report): string[] => {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    report(['registries'], 'is not a list');
    return [];
  }
  for (const [n, path] of value.entries())
    if (!isAbsolutePath(path)) report(['registries', n], 'is not an absolute path');
  return [...new Set(value.filter(isAbsolutePath))];
};

const isAbsolutePath = (value: unknown): value is string => typeof value === 'string' && isAbsolute(value);

/** Return the tmux session that an entry names, under either field name. */
export const tmuxNameOf = ({ tmux_session_name: name, session_name: later }: Agent): string | null =>
  name ?? later ?? null;

/** Parse field by field: a bad one is reported and ignored. */
const globalSettings = (value: unknown, report: Report): HookSettings => {
  if (value === undefined || value === null) return {};
  const parsed = HookSettings.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) report(['hook_settings', ...issuePath(issue)], messageOf(issue));
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

const messageOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_union' ? 'needs exactly one of command, webhook and session' : issue.message;
