/** A Claude Code that is newer than every tested one: Drover says so, and what it could not read there. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import { newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { hookPane, hooksOf, sessionId } from '../rig/hook.ts';
import { screenOf } from '../rig/screen.ts';
import { world } from '../rig/story.ts';

const version = '9.1.340';
const id = sessionId(1);

test('doctor, status and the board name the version, and a dialog that could not be read turns up in doctor', async () => {
  const opened = await world({ version: newest });
  const { drover } = opened;
  const hooks = await hooksOf(opened);
  const claude = join(opened.root, 'bin', 'claude');
  await rm(claude);
  await writeFile(claude, `#!/bin/sh\necho '${version} (Claude Code)'\n`, { mode: 0o755 });
  const first = await opened.daemon();
  expect((await drover('doctor')).stdout).toContain(`Claude Code ${version} is newer than ${newest}`);

  const pane = await hookPane(opened, 'new');
  const fire = (hook_event_name: string, more: object = {}) =>
    hooks.fire({ hook_event_name, session_id: id, cwd: opened.dir(), version, ...more }, { env: pane.env });
  await fire('SessionStart', { source: 'startup' });
  await fire('UserPromptSubmit', { prompt: 'RUN touch made' });
  await fire('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'touch made' } });
  await pane.shows('May I run this: touch made', '[ yes ]  [ no ]');
  expect((await drover('status')).stdout).toContain(`Claude Code ${version} is newer than ${newest}`);
  const board = await screenOf(opened, [process.execPath, MAIN]);
  await board.sees(`Claude Code ${version} is untested`);

  const off = `answers by keys are off for ${version}: its permission dialogs could not be read`;
  expect((await drover('doctor')).stdout).not.toContain(off);
  const { code, stderr } = await drover('answer', shortId(id), 'allow');
  expect([code, stderr]).toEqual([6, expect.stringContaining('its dialogs may look different')]);
  expect((await drover('doctor')).stdout).toContain(off);
  await first.stop();
  await opened.daemon();
  expect((await drover('status')).stdout).toContain(off);
});
