/** `drover setup --protect` keeps Claude Code's own tools out of DROVER_HOME. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { versions } from '../rig/cli.ts';
import { world } from '../rig/story.ts';

describe.each(versions)('Claude Code %s', version => {
  test('a session cannot read the token or write beside it, and the settings are restored byte for byte', async () => {
    const opened = await world({ version });
    const { token } = await opened.daemon();
    const settings = join(opened.home, '.claude', 'settings.json');
    const text = () => readFile(settings, 'utf8').catch(() => null);
    const before = await text();
    const file = join(opened.droverHome, 'token');

    // Allowed as far as can be: only a rule that denies stands above.
    const args = ['--allowedTools=Read,Write,Edit'];
    const open = await opened.headless({ prompt: `READ ${file}`, args });
    expect([
      open.code,
      opened.model.requests.some(({ body }) => JSON.stringify(body).includes(token)),
    ]).toEqual([0, true]);

    const dry = await opened.drover('setup', '--protect', '--dry-run');
    expect(dry.stdout).toContain(`+      "Read(/${opened.droverHome}/**)"`);
    expect(await text()).toBe(before);
    expect((await opened.drover('setup', '--protect')).stdout).toContain('can no longer read or change');
    expect((await opened.drover('setup', '--protect')).stdout).toContain('Nothing was changed');

    const earlier = opened.model.requests.length;
    const made = join(opened.droverHome, 'spool', 'forged');
    await opened.headless({ prompt: `READ ${file}`, args });
    await opened.headless({ prompt: `WRITE ${made} forged`, args });
    const later = JSON.stringify(opened.model.requests.slice(earlier).map(({ body }) => body));
    expect(later).not.toContain(token);
    expect(later).toMatch(/denied by your permission settings|has been denied/);
    await expect(readFile(made)).rejects.toThrow('ENOENT');
    // No warning blocks an interactive start.
    const seat = await opened.claude({ prompt: 'SAY awake' });
    await seat.sees('awake');

    expect((await opened.drover('setup', '--protect', '--remove')).stdout).toContain('Removed the rules');
    expect(await text()).toBe(before);
  });
});
