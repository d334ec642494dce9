/** How long the CLI lets a hook wait: as long as the slowest agent may take to answer. Read without the schema library. */
import { readConfigObject } from '../../config/config-object.ts';
import { limits } from '../../limits.ts';
import { type Env, pathsFrom } from '../../paths.ts';

/** Returns the timeout of waiting hooks in seconds. Ten minutes, unless an agent may take longer. */
export const hookTimeout = (env: Env): number => {
  const config = readObject(pathsFrom(env).config);
  const registries = (Array.isArray(config.registries) ? config.registries : []).filter(isText);
  const files = registries.map(readObject);
  const longest = Math.max(...[config, ...files].flatMap(secondsIn), 0);
  const wanted = Math.max(limits.approvals.hookTimeout, longest * 1_000 + limits.approvals.answerMargin);
  return Math.floor(Math.min(wanted, limits.clock.longestTimer) / 1_000);
};

const secondsIn = ({ hook_settings: global, agents }: Record<string, unknown>): number[] =>
  [global, ...(Array.isArray(agents) ? agents : []).map(agent => Object(agent).hook_settings)]
    .map(settings => Object(settings).answer_seconds as unknown)
    .filter(seconds => typeof seconds === 'number' && seconds > 0)
    .map(seconds => Math.ceil(seconds as number));

const readObject = (file: string): Record<string, unknown> => readConfigObject(file) ?? {};

const isText = (value: unknown): value is string => typeof value === 'string';
