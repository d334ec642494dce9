/** The part of `drover setup` that turns notifications on or off. It asks once; after that only a flag changes the answer. */
import { chmodSync } from 'node:fs';
import type { Config } from '../../contract/config.ts';
import { DroverError } from '../../contract/error.ts';
import type { NotifyConfig } from '../../contract/notice.ts';
import { editFile } from '../../hook/install/edit-file.ts';
import { append, type Doc, parseDoc, replace, valueOf } from '../../hook/install/json-text.ts';
import { changeRecord, readRecord } from '../../hook/install/record.ts';
import { desktopProgram } from '../../notify/desktop.ts';
import { canAsk, confirm } from '../output/question.ts';
import { type Call, flag } from '../verb.ts';

const question =
  'Send notifications when a session has waited 30 s for an approval or an answer, and when sessions have finished?';

/** Returns whether to notify; null to leave it as it is. */
export const askNotify = async (call: Call, config: Config): Promise<boolean | null> => {
  const [on, off] = [flag(call, 'notify'), flag(call, 'no-notify')];
  if (on && off) throw new DroverError('usage', 'Choose --notify or --no-notify.');
  if (on || off) return on;
  const isKnown = config.notify !== undefined || readRecord(call.paths).notifyAsked;
  if (isKnown || flag(call, 'json') || !call.tty || !canAsk()) return null;
  return confirm(question);
};

/** Writes the answer into config.json, and says what it means. */
export const setNotify = (call: Call, config: Config, on: boolean | null): string[] => {
  if (on === null) return [];
  const { paths, env } = call;
  changeRecord(paths, record => {
    record.notifyAsked = true;
  });
  const before = config.notify;
  // Push sends without `notify` too.
  const isAsWanted = before ? on === before.on && (!on || hasChannel(before)) : !on && !config.push;
  if (isAsWanted) return [`Notifications are ${on ? 'already on' : 'off'}.`];
  const channel = desktopProgram(env.PATH) === null ? 'bell' : 'desktop';
  const fields = { ...(before && { on }), ...wanted(on, before, channel) };
  editFile(paths.config, text => edited(text?.trim() ? text : '{}\n', paths.config, fields));
  chmodSync(paths.config, 0o600);
  if (!on) return ['Notifications are off. `drover setup --notify` turns them on.'];
  const by = before && hasChannel(before) ? 'as `notify` in config.json says' : channelText[channel];
  return [`Notifications are on, ${by}. \`drover notify test\` sends one, \`drover notify\` lists them.`];
};

const channelText = {
  desktop: 'on the desktop',
  bell: 'through the terminal bell, because notify-send is not installed',
};

type Channel = keyof typeof channelText;

const hasChannel = ({ bell, desktop, command, webhook, ntfy }: NotifyConfig): boolean =>
  bell || desktop || [command, webhook, ntfy].some(one => one !== undefined);

/** What to set besides `on`: a channel if none is set. */
const wanted = (on: boolean, before: NotifyConfig | undefined, channel: Channel): object => {
  if (!on) return before ? {} : { on };
  return before && hasChannel(before) ? {} : { [channel]: true };
};

const edited = (text: string, file: string, fields: object): string => {
  const doc = parseDoc(text, file);
  const section = valueOf(doc, doc.root, 'notify');
  if (!section) return append(doc, doc.root, 'notify', fields).text;
  return Object.entries(fields).reduce((now, [name, value]) => withField(now, name, value), doc).text;
};

const withField = (doc: Doc, name: string, value: unknown): Doc => {
  const section = valueOf(doc, doc.root, 'notify') as Doc['root'];
  const known = valueOf(doc, section, name);
  return known ? replace(doc, known, value) : append(doc, section, name, value);
};
