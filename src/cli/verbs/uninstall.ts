/** `drover uninstall`: every scope's hooks, the further names, the service and the daemon; the data only when asked to. */
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { stopDaemon } from '../../client/stop.ts';
import { clean } from '../../client/text.ts';
import { DroverError } from '../../contract/error.ts';
import { unlinkAliases } from '../../hook/install/alias.ts';
import { deleteData } from '../../hook/install/delete-data.ts';
import { removeHooks } from '../../hook/install/install.ts';
import { unprotectHome } from '../../hook/install/protect.ts';
import { deleteRecord, readRecord } from '../../hook/install/record.ts';
import { enabledPlugins } from '../../hook/install/registered.ts';
import { settingsFile } from '../../hook/install/scope.ts';
import { removeService } from './service.ts';
import { removeTmux } from '../setup/setup-tmux.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const { env, paths, cwd } = call;
  if (flag(call, 'keep-data') && flag(call, 'delete-data'))
    throw new DroverError('usage', '--keep-data and --delete-data cannot both be meant.');
  // No hook may start the daemon again while it goes.
  rmSync(paths.autostart, { force: true });
  const { removed, failed } = removeAllHooks(call);
  const aliases = unlinkAliases(paths);
  const service = removeService(env, paths);
  const stopped = await stopDaemon(paths);
  const tmux = await removeTmux(call, { panes: true }).catch((error: Error) => {
    failed.push(error.message);
    return { files: [], servers: [] };
  });
  // A plugin that is still there finds nothing to run, and says nothing.
  rmSync(paths.emit, { force: true });

  const erase = failed.length === 0 && (await wantsErasure(call));
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
        daemon: stopped,
        tmux,
        plugins,
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
  if (stopped) call.out('Stopped the daemon.');
  for (const file of tmux.files) call.out(`Removed Drover's line from ${file}.`);
  for (const id of plugins)
    call.out(`The plugin is still there: \`claude plugin uninstall ${id}\` removes it.`);
  for (const why of failed) call.err(`Not removed: ${why}`);
  call.out(erase ? `Deleted the data in ${paths.home}.` : `The data stays in ${paths.home}.`);
  for (const path of left) call.out(`Left alone, not ours: ${path}`);
  if (failed.length > 0) call.out('Mend the files named above and run `drover uninstall` again.');
  return failed.length > 0 ? 7 : 0;
};

/** Every recorded file, under its name and behind it, and the user's own in any case. A file that is refused stops nothing. */
const removeAllHooks = ({ env, paths, cwd }: Call): { removed: string[]; failed: string[] } => {
  const { files: hooked, protected: guarded } = readRecord(paths);
  const files = [hooked, guarded].flatMap(record =>
    Object.entries(record).flatMap(([target, { name }]) => [name, target]),
  );
  const removed: string[] = [];
  const failed: string[] = [];
  for (const name of new Set([settingsFile('user', env, cwd), ...files])) {
    try {
      const { before } = removeHooks(name, paths);
      const { after } = unprotectHome(name, paths);
      if (after !== before) removed.push(name);
    } catch (error) {
      failed.push(error instanceof Error ? error.message : String(error));
    }
  }
  return { removed, failed: [...new Set(failed)] };
};

const wantsErasure = async (call: Call): Promise<boolean> => {
  if (flag(call, 'delete-data')) return true;
  const ask = process.stdin.isTTY && process.stderr.isTTY && !flag(call, 'yes') && !flag(call, 'json');
  if (!ask || flag(call, 'keep-data')) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(
      `Delete the event log and everything else in ${clean(call.paths.home)}? [y/N] `,
    );
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
};
