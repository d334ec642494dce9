/** Parses `drover wake add --set name=value`. */
import { DroverError } from '../../contract/error.ts';
import { HookSettings, Trigger } from '../../contract/wake.ts';

/** Returns the settings. A value of undefined removes one. */
export const namedSettings = (pairs: string[], mode: string | undefined): Record<string, unknown> => {
  const all = mode === undefined ? pairs : [`hook_mode=${mode}`, ...pairs];
  const settings: Record<string, unknown> = {};
  const triggers: Record<string, unknown> = {};
  for (const pair of all) {
    const at = pair.indexOf('=');
    if (at < 1) refuse(`--set ${JSON.stringify(pair)} is not name=value.`);
    const [name, value] = [pair.slice(0, at), valueIn(pair.slice(at + 1))];
    const trigger = name.startsWith(ofTriggers) ? name.slice(ofTriggers.length) : null;
    if (trigger === null ? !names.includes(name) : !Trigger.options.includes(trigger as Trigger))
      refuse(`unknown setting ${JSON.stringify(name)}.`);
    const place = trigger === null ? settings : triggers;
    if ((trigger ?? name) in place) refuse(`${name} is given twice.`);
    place[trigger ?? name] = value;
  }
  const found = Object.keys(triggers).length ? { ...settings, triggers } : settings;
  const [issue] = HookSettings.safeParse(found).error?.issues ?? [];
  if (issue) refuse(`${issue.path.join('.')}: ${issue.message}`);
  return found;
};

const ofTriggers = 'triggers.';
const names = Object.keys(HookSettings.shape).filter(name => name !== 'triggers');

/** Parses numbers and booleans; other text stays text, and empty text is undefined. */
const valueIn = (text: string): unknown => {
  if (text === '') return undefined;
  return /^(true|false|-?\d+(\.\d+)?)$/.test(text) ? JSON.parse(text) : text;
};

const refuse = (why: string): never => {
  throw new DroverError(
    'usage',
    `drover wake add: ${why}`,
    `Settings are ${names.join(', ')}, triggers.${Trigger.options[0]} and so on. \`name=\` removes one.`,
  );
};
