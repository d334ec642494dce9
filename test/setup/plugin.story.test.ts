/** Every way to register the hooks, alone and together: the plugin, each scope, `--settings`; and what doctor reports. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { edges } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { installPlugin, product } from '../rig/plugin.ts';
import { isThere } from '../rig/process.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import { witness } from '../rig/witness.ts';
import type { World } from '../rig/world.ts';

const settingsOf = ({ home }: World) => join(home, '.claude', 'settings.json');
const hooksIn = (file: string) =>
  (JSON.parse(readFileSync(file, 'utf8')) as { hooks?: Record<string, unknown[]> }).hooks;

interface Kept {
  source: string;
  name: string;
  context: { via?: string };
}

/** The hook events in the log, once every file of the spool has come into it. */
const kept = async ({ drover, droverHome }: World): Promise<Kept[]> => {
  const empty = () => (readdirSync(join(droverHome, 'spool')).length === 0 ? true : undefined);
  await until(10_000, () => 'the spool is not taken in', empty);
  const { code, stdout } = await drover('events', '--after', '0', '--json');
  expect(code).toBe(0);
  const events = stdout.split('\n').flatMap(line => (line ? [JSON.parse(line) as Kept] : []));
  return events.filter(({ source }) => source === 'hook');
};

const tally = (events: { name: string }[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { name } of events) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

describe.each(edges)('Claude Code %s', version => {
  test('the plugin and its marketplace are valid', async () => {
    const { run } = await world({ version });
    for (const path of [product, join(product, 'plugin')]) {
      const { code, stdout } = await run('claude', ['plugin', 'validate', path]);
      expect(stdout).toContain('Validation passed');
      expect(code).toBe(0);
    }
  });

  test('the plugin alone delivers events', async () => {
    const opened = await world({ version });
    const { daemon, drover, headless } = opened;
    await installPlugin(opened);
    await daemon();
    expect((await headless({ prompt: 'RUN echo hi' })).stdout.trim()).toBe('done');
    expect(hooksIn(settingsOf(opened))).toBeUndefined();
    const events = await kept(opened);
    expect(tally(events)).toMatchObject({
      SessionStart: 1,
      UserPromptSubmit: 1,
      PreToolUse: 1,
      PostToolUse: 1,
      Stop: 1,
      SessionEnd: 1,
    });
    for (const { context } of events) expect(context.via).toBe('plugin');
    const { code, stdout } = await drover('doctor');
    expect(stdout).toContain('plugin drover@drover');
    expect(code).toBe(0);
    expect((await drover('status')).stdout).toMatch(/^hooks +plugin drover@drover$/m);
  });

  test('the plugin without Drover is silent', async () => {
    const opened = await world({ version });
    await installPlugin(opened);
    const seat = await opened.claude({ prompt: 'RUN echo hi' });
    await seat.sees('● done', 30_000);
    await seat.file(({ status }) => status === 'idle');
    expect(await seat.sees(/^(?![\s\S]*running \w+ hooks)/)).not.toMatch(/hook|drover|error/i);
    expect(readdirSync(opened.droverHome)).toEqual([]);
  });

  test('project hooks, local hooks and those of a --settings file each work alone', async () => {
    const opened = await world({ version });
    const { daemon, dir, drover, headless, root } = opened;
    await daemon();
    const heard = async (...args: string[]) => {
      const before = (await kept(opened)).length;
      await headless({ prompt: 'SAY hi', args });
      return tally((await kept(opened)).slice(before));
    };
    const turn = { SessionStart: 1, UserPromptSubmit: 1, Stop: 1, SessionEnd: 1 };
    expect((await drover('setup', '--scope', 'project')).code).toBe(0);
    const file = join(root, 'managed.json');
    await writeFile(file, readFileSync(join(dir(), '.claude', 'settings.json')));
    expect(await heard()).toMatchObject(turn);
    expect((await drover('setup', '--scope', 'project', '--remove')).code).toBe(0);
    expect((await drover('setup', '--scope', 'local')).code).toBe(0);
    expect(await heard()).toMatchObject(turn);
    expect((await drover('setup', '--scope', 'local', '--remove')).code).toBe(0);
    expect(existsSync(join(dir(), '.claude'))).toBe(false);
    expect(await heard()).toEqual({});
    expect(await heard('--settings', file)).toMatchObject(turn);
  });

  test('all forms together log each firing once, and doctor names them', async () => {
    const opened = await world({ version });
    const { claude, daemon, drover, headless, run } = opened;
    await installPlugin(opened);
    const setup = await drover('setup');
    expect(setup.stdout).toMatch(/registered twice: the plugin drover@drover and .*settings\.json/);
    const hooks = hooksIn(settingsOf(opened));
    const own = await witness(opened, Object.keys(hooks ?? {}));
    for (const scope of ['project', 'local'])
      expect((await drover('setup', '--scope', scope)).stdout).toContain('registered twice');
    await daemon();
    const doctor = await drover('doctor');
    expect(doctor.stdout).toMatch(/registered twice: the plugin drover@drover and (?:.*settings\.){3}/);

    const seat = await claude({ prompt: 'RUN touch made', settings: { hooks } });
    await seat.asks('Do you want to proceed?');
    await seat.press('Enter');
    await own.saw(({ name }) => name === 'Stop', 30_000);
    await seat.file(({ status }) => status === 'idle');
    await seat.ready();
    const pid = await seat.pid();
    await seat.type('/exit');
    const gone = () => (isThere(pid) ? undefined : true);
    await until(30_000, () => 'the CLI is still there', gone);
    const told = own.events();
    expect(told.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['SessionStart', 'PermissionRequest', 'PostToolUse', 'Stop', 'SessionEnd']),
    );
    expect(tally(await kept(opened))).toEqual(tally(told));
    const { events } = JSON.parse((await drover('status', '--json')).stdout) as {
      events: { doubled: number };
    };
    expect(events.doubled).toBe(told.length);

    // The same while nobody listens, and with a file of somebody whose DROVER_HOME is the default.
    const theirs = { DROVER_HOME: join(opened.home, '.drover') };
    const project = await run(process.execPath, [MAIN, 'setup', '--scope', 'project'], { env: theirs });
    expect(project.stdout).toContain('registered twice: different commands');
    expect((await drover('down')).code).toBe(0);
    await headless({ prompt: 'AGENT SAY within' });
    await daemon();
    expect(tally(own.events())).toMatchObject({ SessionStart: 2, SubagentStop: 1, SessionEnd: 2 });
    expect(tally(await kept(opened))).toEqual(tally(own.events()));
  });

  test('doctor finds nothing wrong in a working setup', async () => {
    const { daemon, drover } = await world({ version });
    expect((await drover('setup')).code).toBe(0);
    await daemon();
    const { code, stdout } = await drover('doctor');
    const wrong = stdout
      .trim()
      .split('\n')
      .filter(line => !line.startsWith('ok '));
    expect(wrong).toEqual([]);
    expect(stdout).toContain(`${version} at `);
    expect(code).toBe(0);
  });
});

describe('doctor names the fix', () => {
  const doctored = async ({ drover }: World) => {
    const { code, stdout } = await drover('doctor', '--json');
    const { checks } = JSON.parse(stdout) as {
      checks: { name: string; ok: boolean | null; says: string; fix?: string }[];
    };
    const wrong = checks.filter(({ ok }) => ok === false);
    expect(code).toBe(wrong.length > 0 ? 1 : 0);
    return Object.fromEntries(wrong.map(({ name, says, fix }) => [name, `${says}: ${fix}`]));
  };

  test('when nothing is set up and no daemon runs', async () => {
    const opened = await world({ version: '2.1.325' });
    expect(await doctored(opened)).toEqual({
      hooks: 'not registered: run `drover setup`',
      emitter: expect.stringMatching(/emit\.sh does not exist: run `drover setup`$/),
      daemon: 'not running: run `drover up`',
    });
    for (const fix of ['setup', 'up']) expect((await opened.drover(fix)).code).toBe(0);
    expect(await doctored(opened)).toEqual({});
  });

  test('when the hooks use another home', async () => {
    const opened = await world({ version: '2.1.325' });
    const elsewhere = { DROVER_HOME: join(opened.root, 'elsewhere') };
    expect((await opened.run(process.execPath, [MAIN, 'setup'], { env: elsewhere })).code).toBe(0);
    await opened.daemon();
    expect(await doctored(opened)).toEqual({ 'hooks arrive': expect.stringContaining('`drover setup`') });
    expect((await opened.drover('setup')).code).toBe(0);
    expect(await doctored(opened)).toEqual({});
  });

  test('when hooks are switched off, and when the emitter is gone', async () => {
    const opened = await world({ version: '2.1.325', settings: { disableAllHooks: true } });
    expect((await opened.drover('setup')).stdout).toContain('disableAllHooks');
    await opened.daemon();
    expect(await doctored(opened)).toEqual({
      'hooks on': `disableAllHooks in ${settingsOf(opened)}: remove that key, or ask your administrator`,
    });
    expect((await opened.drover('setup', '--remove')).code).toBe(0);
    await writeFile(settingsOf(opened), '{}');
    expect((await opened.drover('setup')).code).toBe(0);
    await rm(join(opened.droverHome, 'emit.sh'));
    expect(await doctored(opened)).toEqual({
      emitter: expect.stringContaining('`drover setup`'),
      'hooks arrive': expect.stringContaining('`drover setup`'),
    });
    expect((await opened.drover('setup')).code).toBe(0);
    expect(await doctored(opened)).toEqual({});
  });
});
