/** `--pretrust-cwd`: marks the folder as trusted in Claude's own file, which is replaced atomically. */
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Env, userHome } from '../../paths.ts';
import { PrintFailure } from '../failure.ts';

type Claude = Record<string, unknown> & { projects?: Record<string, Record<string, unknown>> };

/** Null when done, else a warning. A file that cannot be read is left unchanged. */
export const pretrust = (env: Env, cwd: string): string | null => {
  const file = join(env.CLAUDE_CONFIG_DIR || userHome(env), '.claude.json');
  let text = '{}';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return `${file}: ${(error as Error).message}`;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return `${file} is not JSON and was left unchanged`;
  }
  if (!isObject(value) || (value.projects !== undefined && !isObject(value.projects)))
    throw new PrintFailure('internal_error', `${file} has an unknown format and was left unchanged`);
  const claude: Claude = value;
  const project = claude.projects?.[cwd];
  if (project?.hasTrustDialogAccepted === true) return null;
  const projects = { ...claude.projects, [cwd]: { ...project, hasTrustDialogAccepted: true } };
  const temp = `${file}.${process.pid}.drover`;
  const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777;
  writeFileSync(temp, JSON.stringify({ ...claude, projects }, null, 2), { mode });
  renameSync(temp, file);
  return null;
};

const isObject = (value: unknown): value is Claude =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
