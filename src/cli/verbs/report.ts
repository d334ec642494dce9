/** `drover report`: a redacted bundle for a bug report. It is shown before it is saved. */
import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { resolve } from 'node:path';
import { call as ask } from '../../client/call.ts';
import { runningDaemon } from '../../client/running.ts';
import { readConfigObject } from '../../config/config-object.ts';
import { DroverError } from '../../contract/error.ts';
import { claudeDir, userHome } from '../../paths.ts';
import { limits } from '../../limits.ts';
import { createPrivate } from '../../files/private-file.ts';
import { canAsk, confirm } from '../output/question.ts';
import { buildReport } from '../report/build-report.ts';
import { ownText } from '../report/own-text.ts';
import { checks } from '../setup/checks.ts';
import { type Call, flag, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const at = Date.now();
  const report = buildReport({
    at,
    checks: await checks(call),
    ...(await fromDaemon(call)),
    config: readConfigObject(call.paths.config),
    log: readEnd(call.paths.logFile),
    secrets: secretsOf(call),
    isOwn: ownText(),
  });
  call.out(report);
  const stamp = new Date(at).toISOString().replace(/\D/g, '').slice(0, 14);
  const file = resolve(call.cwd, text(call, 'out') ?? `drover-report-${stamp}.json`);
  if (!flag(call, 'yes') && !canAsk()) {
    call.err('Not saved: not interactive. Add --yes to save it.');
    return 0;
  }
  if (!flag(call, 'yes') && !(await confirm(`Save this report to ${file}?`))) return 0;
  save(file, `${report}\n`);
  call.err(`Saved ${file}. Read it before you send it to anybody.`);
  return 0;
};

/** Never replaces a file. */
const save = (file: string, text: string): void => {
  try {
    createPrivate(file, text, 0o600);
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new DroverError(
      'failed',
      isThere ? `${file} exists already. It was not replaced.` : `Not saved: ${(error as Error).message}.`,
      'Name another file with --out.',
    );
  }
};

const fromDaemon = async ({ paths }: Call) => {
  const status = await runningDaemon(paths).catch(() => null);
  if (!status) return { status, sessions: [], events: [] };
  const { sessions } = await ask(paths, 'listSessions');
  const { events } = await ask(paths, 'readLog', { query: { last: limits.report.events } });
  return { status, sessions, events };
};

/** What identifies the person or the machine, and what opens the daemon. */
const secretsOf = ({ env, paths, cwd }: Call): string[] => [
  paths.home,
  userHome(env),
  claudeDir(env),
  cwd,
  hostname(),
  userInfo().username,
  readEnd(paths.token).trim(),
];

const readEnd = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').slice(-limits.report.logBytes);
  } catch {
    return '';
  }
};
