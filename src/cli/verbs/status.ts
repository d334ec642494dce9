/** `drover status`: shows whether the daemon runs and whether anything was lost. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { call as ask } from '../../client/call.ts';
import { untestedText, unreadText } from '../../client/untested-text.ts';
import { isStarting, runningDaemon } from '../../client/running.ts';
import type { Status } from '../../contract/api.ts';
import { errors } from '../../contract/error.ts';
import type { Paths } from '../../paths.ts';
import { lostEvents } from '../../hook/disk-reserve.ts';
import { enabledPlugins, registered } from '../../hook/install/registered.ts';
import { ago, clockTime, count, silentText, size } from '../output/format.ts';
import { diskLine, faultLines, limitLines } from '../output/fault-lines.ts';
import { fleetLine } from '../output/fleet-line.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  let starting = null as string | null;
  const status = await runningDaemon(call.paths).catch((error: unknown) => {
    if (!isStarting(error)) throw error;
    starting = (error as Error).message;
    return null;
  });
  const hooks = registered(call.env, call.cwd).map(({ scope, file, commands }) => ({
    scope,
    file,
    events: commands.size,
  }));
  const plugins = enabledPlugins(call.env, call.cwd);
  const fleet = status && existsSync(call.paths.fleetFile) ? await ask(call.paths, 'readFleet') : null;
  if (flag(call, 'json'))
    call.out(
      JSON.stringify({
        up: status !== null,
        ...(starting !== null && { starting }),
        ...status,
        hooks,
        plugins,
        ...(fleet && { fleet }),
      }),
    );
  else if (status) for (const line of lines(status)) call.out(line);
  else if (starting !== null) for (const line of startingLines(starting, call.paths)) call.out(line);
  else for (const line of downLines(call.paths, hooks.length + plugins.length > 0)) call.out(line);
  if (fleet && !flag(call, 'json')) call.out(`fleet     ${fleetLine(fleet, Date.now())}`);
  if (!flag(call, 'json'))
    call.out(
      `hooks     ${[...hooks.map(hook => `${hook.events} events in ${hook.file}`), ...plugins.map(id => `plugin ${id}`)].join(', ') || noHooks}`,
    );
  return status ? 0 : errors.daemon_down.exit;
};

const noHooks =
  'NOT REGISTERED: states arrive late and requests are not shown; run `drover setup` to register them';

const startingLines = (progress: string, paths: Paths): string[] => [
  `starting  ${progress} Nothing is lost meanwhile: hooks write to the spool.`,
  `spool     ${files(existsSync(paths.spool) ? readdirSync(paths.spool).length : 0)}`,
];

const downLines = (paths: Paths, isRegistered: boolean): string[] => {
  const spooled = existsSync(paths.spool) ? readdirSync(paths.spool).length : 0;
  const dropped = statSync(paths.dropped, { throwIfNoEntry: false })?.size ?? 0;
  const lost = lostEvents(paths);
  const full = existsSync(paths.full) ? ', FULL: new events are dropped' : '';
  return [
    `down      ${errors.daemon_down.hint}${isRegistered ? ' Until then hooks write to the spool.' : ''}`,
    `spool     ${files(spooled)}${full}`,
    `lost      ${count(dropped)} dropped`,
    ...(lost.lastAt === null ? [] : [`fault     ${diskLine(lost.count, lost.lastAt)}`]),
  ];
};

const files = (number: number): string => `${count(number)} ${number === 1 ? 'file' : 'files'}`;

const notifyText = ({ sent, failed, suppressed, lastAt, lastFailure }: Status['notify']): string =>
  `${count(sent)} ${sent === 1 ? 'notification' : 'notifications'} since the start${lastAt ? `, the last ${ago(lastAt)} ago` : ''}${suppressed ? `, ${count(suppressed)} suppressed` : ''}${failed ? `, ${count(failed)} FAILED: ${lastFailure}` : ''}`;

const lines = (status: Status): string[] => {
  const { events, sessions, spool } = status;
  return [
    `up        since ${clockTime(status.startedAt)} (${ago(status.startedAt)}), version ${status.version}, pid ${status.pid}, ${status.url}`,
    `events    ${count(events.kept)} kept (${size(events.bytes)}), ${count(events.sinceStart)} since the start, last hook ${events.lastHookAt ? `${ago(events.lastHookAt)} ago` : 'not seen since the start'}`,
    `sessions  ${sessions.live} live, ${sessions.waiting} waiting, ${sessions.known} known`,
    ...(sessions.silent > 0 ? [`silent    ${silentText(sessions.silent)}`] : []),
    `spool     ${files(spool.files)}${spool.full ? ', FULL: new events are dropped' : ''}`,
    `lost      ${count(spool.dropped)} dropped, ${count(spool.aside)} moved aside, ${count(spool.unsent)} not delivered to a remote hub`,
    ...faultLines(status.faults).map(fault => `fault     ${fault}`),
    ...limitLines(status.faults).map(limit => `limit     ${limit}`),
    // A daemon of an earlier version reports none.
    ...(status.cli?.untested.length ? [`cli       ${untestedText(status.cli.untested)}`] : []),
    ...(status.cli?.unread ?? []).map(unread => `cli       ${unreadText(unread)}`),
    `readers   ${count(status.readers)} connected`,
    ...(status.warm.size > 0 ? [`warm      ${status.warm.ready} of ${status.warm.size} sessions ready`] : []),
    ...(status.notify.on ? [`notify    ${notifyText(status.notify)}`] : []),
    ...status.errors.map(error => `error     ${error}`),
  ];
};
