/** Generates the plugin's files from the event table, so that plugin and settings register the same events. */
import { baseVersion, eventsForAll } from '../../claude/hook-events.ts';
import { pluginHandlerFor } from './command.ts';
import { mcpServerName } from './mcp-entry.ts';

/** Builds plugin/hooks/hooks.json. Only base events: a CLI ignores the whole file if it does not know one. */
const pluginHooks = (): string =>
  json({
    description: 'Reports events of this session to Drover. Does nothing where Drover is not set up.',
    hooks: Object.fromEntries(
      eventsForAll([baseVersion]).map(event => [event, [{ hooks: [pluginHandlerFor(event)] }]]),
    ),
  });

/** Returns the plugin's files by path. */
export const pluginFiles = (version: string): Record<string, string> => ({
  'plugin/hooks/hooks.json': pluginHooks(),
  'plugin/.claude-plugin/plugin.json': json({
    name: 'drover',
    version,
    description:
      'Hooks, tools, a skill and commands of Drover, the control plane for all your Claude Code sessions.',
    author: { name: 'Drover' },
    license: 'MIT',
  }),
  // The script is in the plugin, because Claude Code reports a server that does not start as an error.
  'plugin/.mcp.json': json({
    mcpServers: { [mcpServerName]: { command: 'sh', args: ['${CLAUDE_PLUGIN_ROOT}/mcp.sh'] } },
  }),
  '.claude-plugin/marketplace.json': json({
    name: 'drover',
    description: 'Drover, the control plane for all your Claude Code sessions.',
    owner: { name: 'Drover' },
    plugins: [
      {
        name: 'drover',
        source: './plugin',
        description: 'Hooks, tools, a skill and commands of Drover, without editing settings.json.',
      },
    ],
  }),
});

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
