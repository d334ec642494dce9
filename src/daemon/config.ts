/** config.json, read and checked. A wrong field is named; nothing is guessed. */
import { readFileSync } from 'node:fs';
import { Config } from '../contract/config.ts';
import { DroverError } from '../contract/error.ts';

export const readConfig = (file: string): Config => {
  let text = '{}';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new DroverError('bad_config', `${file}: ${String(error)}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text.trim() || '{}');
  } catch (error) {
    throw new DroverError('bad_config', `${file} is not JSON: ${(error as Error).message}`);
  }
  const parsed = Config.safeParse(value);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(issue => `${issue.path.join('.') || '(top)'}: ${issue.message}`);
    throw new DroverError('bad_config', `${file}: ${issues.join('; ')}`);
  }
  return parsed.data;
};
