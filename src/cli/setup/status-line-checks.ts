/** The check of `drover doctor` for the status line, which is optional. */
import { readFileSync } from 'node:fs';
import { isOwnStatusLine } from '../../hook/install/status-line.ts';
import { settingsFile } from '../../hook/install/scope.ts';
import type { Env } from '../../paths.ts';
import type { Check } from '../output/print-checks.ts';
import type { Call } from '../verb.ts';

export const statusLineCheck = ({ env, cwd }: Pick<Call, 'env' | 'cwd'>): Check => {
  const isRegistered = isOwnStatusLine(commandIn(settingsFile('user', env, cwd)));
  const overriding = isRegistered ? findOverridingStatusLines(env, cwd) : [];
  return {
    name: 'status line',
    // The status line is optional, but a project's own status line overrides it.
    ok: overriding.length === 0 ? true : null,
    says: !isRegistered
      ? 'not registered (optional): `drover setup --statusline` adds cost and context while a session runs'
      : overriding.length
        ? `overridden in this project by ${overriding.join(' and ')}`
        : 'registered',
  };
};

/** Lists the project's settings files with their own status line, which Claude Code prefers. */
export const findOverridingStatusLines = (env: Env, cwd: string): string[] => {
  const user = settingsFile('user', env, cwd);
  return (['project', 'local'] as const)
    .map(scope => settingsFile(scope, env, cwd))
    .filter(file => file !== user)
    .filter(file => {
      const command = commandIn(file);
      return command !== undefined && !isOwnStatusLine(command);
    });
};

const commandIn = (file: string): unknown => {
  try {
    const { statusLine } = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) as {
      statusLine?: { command?: unknown };
    };
    return statusLine?.command;
  } catch {
    return undefined;
  }
};
