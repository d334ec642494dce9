/** Builds the report: everything in it is on a list of what may be shown, and a mask goes over the result. */
import { configSchema } from '../../contract/config-schema.ts';
import type { Status } from '../../contract/api.ts';
import type { EventView } from '../../contract/event.ts';
import type { Session } from '../../contract/session.ts';
import { limits } from '../../limits.ts';
import { systemName } from '../../platform/system.ts';
import { build } from '../../version.ts';
import type { Check } from '../output/print-checks.ts';
import { checkOutline } from './check-outline.ts';
import { configOutline } from './config-outline.ts';
import { logErrors } from './log-errors.ts';
import { maskOf, textsIn } from './mask.ts';
import { numberOutline } from './number-outline.ts';
import type { IsOwnText } from './own-text.ts';
import { eventOutline, sessionNumbers, sessionOutline } from './session-outlines.ts';

export interface ReportSources {
  at: number;
  checks: Check[];
  /** The status of the daemon; null when it does not run. */
  status: Status | null;
  sessions: Session[];
  events: EventView[];
  /** The value of config.json; null when it cannot be read. */
  config: unknown;
  /** The end of the daemon's log. */
  log: string;
  /** Tokens, folders and names that must not be in the report. */
  secrets: string[];
  isOwn: IsOwnText;
}

/** Returns the report as JSON. */
export const buildReport = (sources: ReportSources): string => {
  const { at, checks, status, sessions, events, config, log, secrets, isOwn } = sources;
  const numberOf = sessionNumbers();
  const report = {
    drover: build,
    at: new Date(at).toISOString(),
    node: process.versions.node,
    platform: `${systemName} ${process.arch}`,
    doctor: checks.map(checkOutline),
    config: config === null ? '[cannot be read]' : configOutline(config, configSchema()),
    daemon: status && { version: /^[\w.+-]{1,30}$/.exec(status.version)?.[0], ...daemonNumbers(status, at) },
    errors: logErrors(log, isOwn, limits.report.errors),
    sessions: sessions.slice(0, limits.report.sessions).map(one => sessionOutline(one, numberOf, isOwn, at)),
    events: events.map(event => eventOutline(event, numberOf, isOwn)),
  };
  const mask = maskOf([...secrets, ...textsIn(config)].filter(text => !isOwn(text)));
  return JSON.stringify(report, (_, value: unknown) => (typeof value === 'string' ? mask(value) : value), 2);
};

const daemonNumbers = (
  { startedAt, events, sessions, spool, faults, readers, warm }: Status,
  at: number,
) => ({
  upSeconds: Math.round((at - startedAt) / 1_000),
  ...(numberOutline({ events, sessions, spool, faults, readers, warm }) as object),
});
