/** The part of `drover setup` that turns notifications on or off. It asks once; after that only a flag changes the answer. */
import { chmodSync } from 'node:fs';
import type { Config } from '../../contract/config.ts';
import { DroverError } from '../../contract/error.ts';
import { editFile } from '../../hook/install/edit-file.ts';
import { append, type Doc, parseDoc, replace, valueOf } from '../../hook/install/json-text.ts';
import { changeRecord, readRecord } from '../../hook/install/record.ts';
import { desktopProgram } from '../../notify/desktop.ts';
import { canAsk, confirm } from '../output/question.ts';
import { type Call, flag } from '../verb.ts';

const question =
  'Notify you when a session waits 30 s for an approval or an answer, and when sessions have finished?';

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
  if (on === (before?.on ?? false)) return [`Notifications are ${on ? 'already on' : 'off'}.`];
  const channel = desktopProgram(env.PATH) === null ? 'bell' : 'desktop';
  editFile(paths.config, text => edited(text?.trim() ? text : '{}\n', paths.config, on, channel));
  chmodSync(paths.config, 0o600);
  if (!on) return ['Notifications are off. `drover setup --notify` turns them on.'];
  const by = before ? 'as `notify` in config.json says' : channelText[channel];
  return [`Notifications are on, ${by}. \`drover notify test\` sends one, \`drover notify\` lists them.`];
};

const channelText = {
  desktop: 'on the desktop',
  bell: 'by the bell of your terminals, because notify-send is not installed',
};

const edited = (text: string, file: string, on: boolean, channel: 'bell' | 'desktop'): string => {
  const doc = parseDoc(text, file);
  const section = valueOf(doc, doc.root, 'notify');
  if (!section) return append(doc, doc.root, 'notify', { [channel]: true }).text;
  return withOn(doc, section, on).text;
};

const withOn = (doc: Doc, section: Doc['root'], on: boolean): Doc => {
  const value = valueOf(doc, section, 'on');
  return value ? replace(doc, value, on) : append(doc, section, 'on', on);
};
