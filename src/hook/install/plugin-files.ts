/** The files of the plugin form, made from the event table so that both forms register the same. */
import { baseVersion, watchable } from '../../claude/hook-events.ts';
import { pluginHandlerFor } from './command.ts';

/** plugin/hooks/hooks.json: the base set, for a name that a CLI does not know would drop all of them. */
const pluginHooks = (): string =>
  json({
    description: 'Tells Drover what this session does. Silent and without effect where Drover is not set up.',
    hooks: Object.fromEntries(
      watchable([baseVersion]).map(event => [event, [{ hooks: [pluginHandlerFor(event)] }]]),
    ),
  });

/** Every file of the plugin form by its path in the repository. */
export const pluginFiles = (version: string): Record<string, string> => ({
  'plugin/hooks/hooks.json': pluginHooks(),
  'plugin/.claude-plugin/plugin.json': json({
    name: 'drover',
    version,
    description: 'Registers Drover, the control plane for all your Claude Code sessions, by hooks alone.',
    author: { name: 'Drover' },
    license: 'MIT',
  }),
  '.claude-plugin/marketplace.json': json({
    name: 'drover',
    description: 'Drover, the control plane for all your Claude Code sessions.',
    owner: { name: 'Drover' },
    plugins: [
      {
        name: 'drover',
        source: './plugin',
        description: 'Registers Drover by hooks alone: no edit of settings.json.',
      },
    ],
  }),
});

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
