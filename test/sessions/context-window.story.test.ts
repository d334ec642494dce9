/** The context window of a model that Drover has never heard of, learned from the status line of the real CLI. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventView } from '../../src/contract/event.ts';
import { newest } from '../rig/cli.ts';
import { hubOf } from '../rig/hub.ts';
import { world } from '../rig/story.ts';

test('the window of an unknown model is learned from the status line, which is not recorded', async () => {
  const opened = await world({ version: newest });
  await opened.drover('setup');
  const hub = await hubOf(opened);
  const script = join(opened.root, 'status-line.sh');
  const emitter = join(opened.droverHome, 'emit.sh');
  await writeFile(script, `json=$(cat)\nprintf '%s\\n' "$json" | sh '${emitter}' StatusLine\necho shown\n`);
  const file = join(opened.home, '.claude', 'settings.json');
  const settings = JSON.parse(await readFile(file, 'utf8')) as object;
  const statusLine = { type: 'command', command: `sh '${script}'` };
  await writeFile(file, JSON.stringify({ ...settings, statusLine }));

  const seat = await opened.claude({ args: ['--model', 'claude-tapir-9'] });
  await seat.sees('shown');
  await seat.ready();
  await seat.type('TOKENS 50000 SAY hello');
  const { sessionId } = await seat.file(({ status }) => status === 'idle');
  // The CLI says on its screen what it assumes of a model that it does not know, and its status line says the same.
  await seat.sees('context assumed to be 1m tokens');
  const { context } = await hub.is(sessionId, session => session.context !== null);
  expect(context).toMatchObject({ window: 1_000_000, windowSource: 'learned' });
  const { body } = await hub.ask<{ events: EventView[] }>('GET', `/log?session=${sessionId}`);
  expect(body.events.map(({ name }) => name)).not.toContain('StatusLine');
  expect((await opened.drover('show', sessionId)).stdout).toMatch(
    /context {3}\d+ tokens, \d+(?:\.\d)? % of 1000000\n/,
  );
});
