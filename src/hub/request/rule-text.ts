/** Describes what "don't ask again" allows: the permission updates that Claude Code suggests with a request. */

/** One line with every rule, exactly as it is stored; empty when there is none. */
export const ruleText = (suggestions: unknown[]): string =>
  suggestions
    .filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null)
    .map(updateText)
    .join('; ');

const updateText = (update: Record<string, unknown>): string => {
  const what = contentOf(update);
  const where = places[String(update.destination)];
  return where ? `${what} (${where})` : what;
};

const contentOf = (update: Record<string, unknown>): string => {
  switch (update.type) {
    case 'addRules':
    case 'replaceRules':
      return `${update.behavior === 'allow' ? '' : `${String(update.behavior)} `}${listOf(update.rules).map(ruleName).join(', ')}`;
    case 'addDirectories':
      return `access to ${listOf(update.directories).map(String).join(', ')}`;
    case 'setMode':
      return `permission mode ${String(update.mode)}`;
    default:
      return JSON.stringify(update);
  }
};

const ruleName = (rule: unknown): string => {
  const { toolName, ruleContent } = (rule ?? {}) as Record<string, unknown>;
  return typeof ruleContent === 'string' ? `${String(toolName)}(${ruleContent})` : String(toolName);
};

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

const places: { [destination: string]: string | undefined } = {
  session: 'for this session',
  localSettings: 'in this project, for you',
  projectSettings: 'in this project, for everyone',
  userSettings: 'in all your projects',
};
