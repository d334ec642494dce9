/** The hook of a machine is the same before and after it joins a fleet: the file, the settings, what it starts and what it opens. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newest } from '../rig/cli.ts';
import { noFleet } from '../rig/fleet.ts';
import { hooksOf, sessionId } from '../rig/hook.ts';
import { hubOf } from '../rig/hub.ts';
import { world } from '../rig/story.ts';

const events = [
  { hook_event_name: 'SessionStart', source: 'startup' },
  { hook_event_name: 'UserPromptSubmit', prompt: 'go on' },
  { hook_event_name: 'PostToolUse', tool_name: 'Read', tool_input: {}, tool_response: {} },
  { hook_event_name: 'Stop', last_assistant_message: 'done', stop_hook_active: false },
];

/** Whether the files and processes of a program can be traced here; if not, only the files are compared. */
const canTrace = ((): boolean => {
  try {
    execFileSync('strace', ['-f', '-o', '/dev/null', 'true'], { stdio: 'pipe' });
    return true;
  } catch {
    console.warn('rig: strace cannot be used here, so nobody watches what a hook opens and starts');
    return false;
  }
})();

/** A machine with hooks and a daemon, and how to look at its hook. */
const machine = async () => {
  const opened = await world({ version: newest });
  const { commands } = await hooksOf(opened);
  await hubOf(opened);
  const trace = join(opened.root, 'trace');
  const fired = async (command: string, payload: object) => {
    const words = canTrace ? ['strace', '-f', '-e', 'trace=execve,open,openat', '-o', trace] : [];
    const args = [...words, 'sh', '-c', command];
    const said = await opened.run(args[0] ?? 'sh', args.slice(1), { input: `${JSON.stringify(payload)}\n` });
    expect(said).toEqual({ code: 0, stdout: '', stderr: '' });
    return words.length > 0 ? linesOf(await readFile(trace, 'utf8'), opened.root) : [];
  };
  return {
    opened,
    look: async () => {
      const opens: string[][] = [];
      for (const event of events) {
        const payload = { ...event, session_id: sessionId(1), cwd: opened.dir() };
        opens.push(await fired(commands[event.hook_event_name] ?? 'exit 99', payload));
      }
      return {
        emitter: await readFile(join(opened.droverHome, 'emit.sh'), 'utf8'),
        settings: await readFile(join(opened.home, '.claude', 'settings.json'), 'utf8'),
        opens,
      };
    },
  };
};

const isBsd = process.env.DROVER_PLATFORM === 'bsd';

/** What was opened and started, without numbers and ids. With the code for macOS each line once: ps opens a file for each process. */
const linesOf = (trace: string, root: string): string[] => {
  const lines = trace
    .split('\n')
    .flatMap(line => /((?:execve|open|openat)\(.*)/.exec(line)?.[1]?.replace(/, 0x\w+ \/\*.*?\*\//, '') ?? [])
    .map(line =>
      line
        .replaceAll(root, '')
        .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
        .replace(/\d+/g, 'N'),
    )
    .sort();
  return isBsd ? [...new Set(lines)] : lines;
};

describe.skipIf(noFleet !== undefined)('with nats-server', () => {
  test('joining a fleet changes nothing of the hook', { timeout: 60_000 }, async () => {
    const [laptop, devbox] = [await machine(), await machine()];
    const before = [await laptop.look(), await devbox.look()];
    // The trace works: each hook starts cat, and nothing else. With the code for macOS some ask ps whether the daemon runs.
    const isOwn = isBsd ? /"(?:sh|ps)"/ : /"sh"/;
    if (canTrace)
      for (const lines of before.flatMap(({ opens }) => opens))
        expect(lines.filter(line => /^execve.* = N$/.test(line) && !isOwn.test(line))).toEqual([
          expect.stringContaining('"cat"'),
        ]);

    const made = await laptop.opened.drover('fleet', 'init', '--name', 'laptop');
    expect([made.code, made.stderr]).toEqual([0, '']);
    const token = await laptop.opened.drover('fleet', 'token', '--role', 'seat', '--json');
    const { token: text } = JSON.parse(token.stdout) as { token: string };
    const joined = await devbox.opened.run(
      process.execPath,
      [devbox.opened.main, 'fleet', 'join', '-', '--name', 'devbox'],
      { input: `${text}\n` },
    );
    expect([joined.code, joined.stderr]).toEqual([0, '']);

    expect([await laptop.look(), await devbox.look()]).toEqual(before);
    // Nor does a later setup.
    for (const { opened } of [laptop, devbox]) expect((await opened.drover('setup')).code).toBe(0);
    expect([await laptop.look(), await devbox.look()]).toEqual(before);
  });
});
