/** Hooks that are missing, or that an earlier version registered otherwise. */
import { findClis } from '../../claude/find-cli.ts';
import { baseVersion, hookEvents } from '../../claude/hook-events.ts';
import type { Config } from '../../contract/config.ts';
import { readConfig } from '../../daemon/config.ts';
import { unifiedDiff } from '../../hook/install/diff.ts';
import { installHooks, type Place, previewInstall, wantedHandlers } from '../../hook/install/install.ts';
import { enabledPlugins, type Registered, registered } from '../../hook/install/registered.ts';
import { settingsFile } from '../../hook/install/scope.ts';
import type { Call } from '../verb.ts';
import type { Repair } from './repair.ts';

export const notRegistered = 'the hooks are not registered';

export const hookRepairs = async (call: Call): Promise<Repair[]> => {
  const { env, cwd, paths } = call;
  const places = registered(env, cwd);
  // The plugin brings its own hooks.
  if (places.length === 0 && enabledPlugins(env, cwd).length > 0) return [];
  const clis = await findClis({ env, configured: configOf(call)?.claude });
  const versions = clis.map(({ version }) => version ?? baseVersion);
  const user: Registered = { scope: 'user', file: settingsFile('user', env, cwd), commands: new Map() };
  return (places.length > 0 ? places : [user]).flatMap(({ scope, file, commands }) => {
    const place: Place = { name: file, scope, paths };
    const wanted = wantedHandlers(versions, optedIn(commands), env);
    const { target, before, after } = previewInstall(place, wanted);
    if (after === before) return [];
    return [
      {
        name: 'hooks',
        says: commands.size > 0 ? `the hooks in ${file} are outdated` : notRegistered,
        changes: [unifiedDiff(target, before, after)],
        run: () => installHooks(place, wanted),
      },
    ];
  });
};

/** Events that were registered only because somebody asked for them. */
const optedIn = (commands: Registered['commands']): string[] =>
  hookEvents
    .filter(({ name, watch }) => watch !== 'always' && watch !== 'never' && commands.has(name))
    .map(({ name }) => name);

const configOf = ({ paths }: Call): Config | null => {
  try {
    return readConfig(paths.config);
  } catch {
    return null;
  }
};
