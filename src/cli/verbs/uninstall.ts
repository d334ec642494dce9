/** `drover uninstall`: removes hooks, aliases, service, tmux settings and daemon; data only on request. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { stopDaemon } from '../../client/stop.ts';
import { DroverError } from '../../contract/error.ts';
import { shortId } from '../../contract/short-id.ts';
import { unlinkAliases } from '../../hook/install/alias.ts';
import { deleteData } from '../../hook/install/delete-data.ts';
import { removeHooks } from '../../hook/install/install.ts';
import { unprotectHome } from '../../hook/install/protect.ts';
import { removeStatusLine } from '../../hook/install/register-status-line.ts';
import { deleteRecord, readRecord } from '../../hook/install/record.ts';
import { enabledPlugins } from '../../hook/install/registered.ts';
import { settingsFile } from '../../hook/install/scope.ts';
import type { Paths } from '../../paths.ts';
import { removeService } from './service.ts';
import { type StoppedSessions, stopManagedSessions } from '../setup/stop-managed.ts';
import { ownCommand } from '../output/own-command.ts';
import { removeMcp } from '../setup/setup-mcp.ts';
import { removeTmux } from '../setup/setup-tmux.ts';
import { canAsk, confirmAction } from '../output/question.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const { env, paths, cwd } = call;
  if (flag(call, 'keep-data') && flag(call, 'delete-data'))
    throw new DroverError('usage', '--keep-data and --delete-data cannot be combined.');
  const hadData = existsSync(paths.home);
  // Asked before anything is changed, so that it can still be cancelled.
  const mayErase = hadData && (await confirmDeletion(call));
  const sessions: StoppedSessions = { stopped: [], failed: [] };
  await stopManagedSessions(call, sessions).catch((error: Error) => call.err(error.message));
  // First, so that no hook starts the daemon again.
  rmSync(paths.autostart, { force: true });
  const { removed, failed } = removeAllHooks(call);
  for (const id of sessions.failed) failed.push(`session ${shortId(id)}: it did not stop`);
  const aliases = unlinkAliases(paths);
  const service = removeService(env, paths);
  const mcp = await removeMcp(call).catch((error: Error) => {
    failed.push(error.message);
    return { entry: false, token: false, files: [] };
  });
  const stopped = await stopDaemon(paths);
  const brokers = await stopBrokers(paths);
  const tmux = await removeTmux(call, { panes: true }).catch((error: Error) => {
    failed.push(error.message);
    return { files: [], servers: [] };
  });
  // Without the emitter an installed plugin does nothing.
  rmSync(paths.emit, { force: true });
  rmSync(paths.mcpScript, { force: true });

  const erase = failed.length === 0 && mayErase;
  if (failed.length === 0) deleteRecord(paths);
  const left = erase ? deleteData(paths) : [];
  const plugins = enabledPlugins(env, cwd);

  const data = erase ? 'deleted' : 'kept';
  if (flag(call, 'json')) {
    call.out(
      JSON.stringify({
        hooks: removed,
        aliases,
        service,
        mcp,
        daemon: stopped,
        brokers,
        tmux,
        plugins,
        sessions: sessions.stopped.length,
        data,
        left,
        failed,
      }),
    );
    return failed.length > 0 ? 7 : 0;
  }
  for (const file of removed) call.out(`Removed Drover's hooks from ${file}.`);
  for (const path of aliases) call.out(`Removed the link ${path}.`);
  for (const line of service) call.out(line);
  if (mcp.entry) call.out('Removed the MCP server from Claude Code.');
  if (stopped) call.out('Stopped the daemon.');
  if (brokers > 0) call.out('Stopped the broker of the fleet.');
  for (const file of tmux.files) call.out(`Removed Drover's line from ${file}.`);
  if (sessions.stopped.length > 0)
    call.out(
      sessions.stopped.length === 1
        ? 'Stopped the session that Drover had started.'
        : `Stopped the ${sessions.stopped.length} sessions that Drover had started.`,
    );
  for (const id of plugins)
    call.out(`The plugin is still installed. Remove it with \`claude plugin uninstall ${id}\`.`);
  for (const why of failed) call.err(`Not removed: ${why}`);
  if (!hadData && removed.length === 0) call.out('Drover was not set up here.');
  if (hadData)
    call.out(
      erase
        ? `Deleted the data in ${paths.home}.`
        : `Kept the data in ${paths.home}. \`drover uninstall --delete-data\` deletes it.`,
    );
  for (const path of left) call.out(`Kept, because it is not part of Drover: ${path}`);
  if (failed.length > 0) call.out('Fix the files named above and run `drover uninstall` again.');
  // In a clone there is nothing more to remove.
  else if (ownCommand(env, cwd) === 'drover')
    call.out('The command itself stays. Remove it with `npm uninstall -g drover`.');
  return failed.length > 0 ? 7 : 0;
};

/** Brokers of a fleet outlive the daemon. Returns how many ran. */
const stopBrokers = async ({ fleetBroker, hostedBroker }: Paths): Promise<number> => {
  const folders = [fleetBroker, hostedBroker].filter(folder => existsSync(folder));
  if (folders.length === 0) return 0;
  const { stopBroker } = await import('../../fleet/broker/broker-process.ts');
  const ran = await Promise.all(folders.map(folder => stopBroker(folder, false)));
  return ran.filter(Boolean).length;
};

/** Cleans every recorded file and its link target, and the user's settings. Continues after a failure. */
const removeAllHooks = ({ env, paths, cwd }: Call): { removed: string[]; failed: string[] } => {
  const { files: hooked, protected: withRules, statusLines } = readRecord(paths);
  const files = [hooked, withRules, statusLines].flatMap(record =>
    Object.entries(record).flatMap(([target, { name }]) => [name, target]),
  );
  const removed: string[] = [];
  const failed: string[] = [];
  const user = settingsFile('user', env, cwd);
  for (const name of new Set([...(mayHaveOurs(user) ? [user] : []), ...files])) {
    try {
      const { before } = removeHooks(name, paths);
      unprotectHome(name, paths);
      const { after } = removeStatusLine(name, paths);
      if (after !== before) removed.push(name);
    } catch (error) {
      failed.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { removed, failed: [...new Set(failed)] };
};

/** Whether a settings file mentions Drover. One that does not is skipped, even if it cannot be parsed. */
const mayHaveOurs = (file: string): boolean => {
  try {
    return /drover|\/emit\.sh/i.test(readFileSync(file, 'latin1'));
  } catch (error) {
    return !['ENOENT', 'EISDIR'].includes(String((error as NodeJS.ErrnoException).code));
  }
};

const confirmDeletion = async (call: Call): Promise<boolean> => {
  if (flag(call, 'delete-data')) return true;
  const ask = canAsk() && !flag(call, 'yes') && !flag(call, 'json');
  if (!ask || flag(call, 'keep-data')) return false;
  return confirmAction(`Delete the event log and everything else in ${call.paths.home}?`);
};
