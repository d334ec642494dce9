/** The JSON schema of config.json that the package ships. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programFile } from '../../program-file.ts';

export const schemaText = (): string =>
  readFileSync(join(dirname(programFile()), '..', 'docs', 'config.schema.json'), 'utf8');
