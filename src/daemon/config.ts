/** Reads and checks config.json. A wrong field is named with its line; nothing is guessed. */
import {
  type ConfigText,
  ConfigSyntaxError,
  fieldName,
  issuePath,
  parseConfigText,
} from '../config/config-text.ts';
import { Config } from '../contract/config.ts';
import { DroverError } from '../contract/error.ts';
import { readText } from '../files/read-text.ts';

/** Reads the file; one that does not exist is empty. Throws `bad_config`. */
export const readConfig = (file: string): Config => parseConfig(readConfigText(file), file);

/** Parses the text of the file. Throws `bad_config`, which names every wrong field with its line. */
export const parseConfig = (text: string, file: string): Config => {
  const { value, lineOf } = parsed(file, text);
  const checked = Config.safeParse(value);
  if (checked.success) return checked.data;
  const issues = checked.error.issues.map(issue => {
    const path = issuePath(issue);
    return `line ${lineOf(path)}: ${fieldName(path) || '(top)'}: ${issue.message}`;
  });
  throw new DroverError('bad_config', `${file}: ${issues.join('; ')}`);
};

/** Reads the text of the file; that of one that does not exist is empty. Throws `bad_config`. */
export const readConfigText = (file: string): string => {
  try {
    return readText(file) ?? '';
  } catch (error) {
    // Not the file is wrong, but the folder that it is in.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') throw error;
    throw new DroverError('bad_config', `${file}: ${String(error)}`);
  }
};

const parsed = (file: string, text: string): ConfigText => {
  try {
    return parseConfigText(text);
  } catch (error) {
    if (!(error instanceof ConfigSyntaxError)) throw error;
    throw new DroverError('bad_config', `${file} is not ${error.wanted}: see line ${error.line}.`);
  }
};
