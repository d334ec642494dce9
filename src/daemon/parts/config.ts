/** Applies changes of config.json while the daemon runs. */
import type { ConfigStatus } from '../../contract/api.ts';
import type { Config } from '../../contract/config.ts';
import { DroverError } from '../../contract/error.ts';
import { restartFields } from '../../contract/restart-fields.ts';
import { parseConfig, readConfigText } from '../config.ts';
import { ConfigWatcher } from '../config-watcher.ts';
import type { Core } from '../core.ts';
import type { Part } from '../part.ts';

/** `parts` are notified of a change. */
export const openConfig = ({ paths, config, log }: Core, { parts }: { parts: () => readonly Part[] }) => {
  const status: ConfigStatus = { problem: null, restart: [] };
  let hadText = readConfigText(paths.config).trim() !== '';
  const apply = async (): Promise<void> => {
    let next: Config;
    try {
      const text = readConfigText(paths.config);
      const hasText = text.trim() !== '';
      if (hadText && !hasText) throw emptiedError(paths.config);
      next = parseConfig(text, paths.config);
      hadText = hasText;
    } catch (error) {
      status.problem = (error as Error).message;
      log.error('config.json was not applied; the previous config stays', error);
      return;
    }
    status.problem = null;
    const different = fieldsThatDiffer(config, next);
    status.restart = different.filter(field => restartFields.includes(field));
    const changed = new Set(different.filter(field => !restartFields.includes(field)));
    if (changed.size === 0) return;
    for (const field of changed) setField(config, next, field);
    log.info('config applied', { fields: [...changed], restart: status.restart });
    for (const part of parts())
      try {
        await part.reload?.(changed);
      } catch (error) {
        log.error(`${part.name} could not apply the config`, error);
      }
  };
  const watcher = new ConfigWatcher(paths.config, () => void apply(), log.error);
  return {
    name: 'config',
    apply,
    status: () => status,
    start: () => watcher.start(),
    close: () => watcher.close(),
  } satisfies Part & Record<string, unknown>;
};

/** Programs that save a file remove or empty it first, and the defaults may allow more than the config did. */
const emptiedError = (file: string): Error =>
  new DroverError('bad_config', `${file} is missing or empty. The defaults apply after \`drover restart\`.`);

const fieldsThatDiffer = (before: Config, after: Config): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    field => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );

const setField = (config: Config, from: Config, field: string): void => {
  if (field in from) config[field] = from[field];
  else delete config[field];
};
