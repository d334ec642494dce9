/** Dialogs at the start, for which no hook fires: their options, and what is known while they are open. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startupDialog } from '../../../src/claude/screen/dialogs.ts';
import type { SeatOptions } from '../../rig/tmux.ts';
import { labelsOf, menuIn, type Probe } from '../probe.ts';
import { hasFile } from './session.ts';

export const startup = async (probe: Probe): Promise<void> => {
  const { world, fact } = probe;
  const untrusted = join(world.home, 'untrusted');
  await mkdir(untrusted);
  const withMcp = join(world.home, 'other');
  await writeFile(join(withMcp, '.mcp.json'), JSON.stringify({ mcpServers: { one: { command: 'true' } } }));
  const unknown = { hooks: { NoSuchEvent: [{ hooks: [{ type: 'command', command: 'true' }] }] } };

  const trust = await shown(probe, 'trust', { dir: untrusted });
  fact('startup.trustHasFile', trust.hasFile);
  fact('startup.trustFires', trust.fires);
  await shown(probe, 'unknownHookEvent', { settings: unknown });
  await shown(probe, 'apiKey', { env: { ANTHROPIC_API_KEY: 'sk-ant-other' } });
  await shown(probe, 'bypass', { permissionMode: 'bypassPermissions', env: { IS_SANDBOX: '1' } });
  await shown(probe, 'mcp', { dir: withMcp });
};

const shown = async (probe: Probe, name: string, options: SeatOptions) => {
  const { world, fact } = probe;
  probe.fired();
  const seat = await world.claude(options);
  const menu = await menuIn(seat, 8_000).catch(() => null);
  fact(`dialogs.${name}`, menu === null ? 'none' : labelsOf(menu));
  fact(`dialogs.${name}.recognisedAs`, startupDialog(await seat.screen()));
  const pid = await seat.pid();
  const fires = await probe.firedAfterPause();
  const found = { hasFile: hasFile(world.home, pid), fires };
  process.kill(pid, 'SIGKILL');
  return found;
};
