import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { limits } from '../limits.ts';
import { pathsAt } from '../paths.ts';
import { tempHome } from '../testing/home.ts';
import { statusLineCommand } from './install/status-line.ts';
import { registerStatusLine, removeStatusLine } from './install/register-status-line.ts';
import { LateStatusLines } from './late-status-lines.ts';
import { readSpoolFile } from './spool.ts';

/** What 2.1.325 sends, shortened. */
const json = (cost: number, session = '97430978-e1b6-43ab-94ea-764d5761eff9') =>
  `{"session_id":"${session}","cwd":"/home/me/shop","effort":{"level":"medium"},"model":{"id":"claude-opus-5-5","display_name":"Opus 5.5"},"version":"2.1.325","cost":{"total_cost_usd":${cost},"total_duration_ms":9054},"context_window":{"total_input_tokens":3297,"context_window_size":1000000,"current_usage":{"input_tokens":3297},"used_percentage":12,"remaining_percentage":88},"thinking":{"enabled":true}}`;

const setUp = (settings?: string) => {
  const paths = tempHome();
  mkdirSync(paths.spool, { recursive: true });
  const file = join(dirname(paths.home), 'settings.json');
  if (settings !== undefined) writeFileSync(file, settings);
  const env = { HOME: dirname(paths.home), DROVER_HOME: paths.home };
  registerStatusLine(file, paths, env);
  const command = () =>
    (JSON.parse(readFileSync(file, 'utf8')) as { statusLine: { command: string } }).statusLine.command;
  const run = (input: string, shell = '/bin/sh') => {
    const { status, stdout, stderr } = spawnSync(shell, ['-c', command()], {
      input,
      // With SHLVL bash does not take a socket on standard input for a remote login.
      env: { PATH: process.env.PATH ?? '', SHLVL: '1' },
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  const spooled = () =>
    readdirSync(paths.spool).map(name => {
      const read = readSpoolFile(readFileSync(join(paths.spool, name)));
      return { hook: read?.hook, sealed: read?.sealed, payload: String(read?.payload) };
    });
  return { paths, file, env, run, spooled, command };
};

test('without an own status line it shows model and context, and what the daemon knows', () => {
  const { paths, run, spooled } = setUp();
  expect(run(json(0.1))).toEqual({ status: 0, stdout: 'Opus 5.5 · 12% context\n', stderr: '' });
  expect(spooled()).toEqual([{ hook: 'StatusLine', sealed: true, payload: json(0.1) }]);
  writeFileSync(paths.statusLineFacts, '$3.20\n2 waiting\n');
  expect(run(json(0.1)).stdout).toBe('Opus 5.5 · 12% context · $3.20 today · 2 waiting\n');
});

test('sends only what has changed, and at most once a second per session', () => {
  const { paths, run, spooled } = setUp();
  run(json(0.1));
  run(json(0.1));
  run(json(0.2));
  expect(spooled()).toHaveLength(1);
  // The withheld status line is left for the daemon.
  const taken: string[] = [];
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const late = new LateStatusLines(paths.statusLineSeen, (payload, _at, pid) =>
    taken.push(`${pid} ${String(payload)}`),
  );
  late.scheduleRead('97430978-e1b6-43ab-94ea-764d5761eff9', 7);
  late.scheduleRead('../../secret', 7);
  vi.advanceTimersByTime(limits.usage.late * 2);
  expect(taken).toEqual([`7 ${json(0.2)}`]);
  run(json(0.2, 'another'));
  expect(spooled()).toHaveLength(2);
  // Another session of the same process: what the first withheld is read before it.
  late.scheduleRead('97430978-e1b6-43ab-94ea-764d5761eff9', 7);
  run(json(0.3));
  late.catchUp({ sessionId: 'another', at: Date.now() }, 8);
  late.catchUp({ sessionId: '97430978-e1b6-43ab-94ea-764d5761eff9', at: 1 }, 7);
  expect(taken).toHaveLength(1);
  late.catchUp({ sessionId: 'another', at: Date.now() }, 7);
  expect(taken.slice(1)).toEqual([`7 ${json(0.3)}`]);
  // As if a second had passed.
  const seen = join(paths.statusLineSeen, '97430978-e1b6-43ab-94ea-764d5761eff9');
  writeFileSync(
    seen,
    readFileSync(seen, 'utf8').replace(/^\d+/, time => String(Number(time) - 100)),
  );
  run(json(0.1));
  expect(spooled()).toHaveLength(2);
  run(json(0.2));
  expect(spooled()).toHaveLength(3);
});

test('what was withheld before a status line is read before it, also after a restart of the daemon', () => {
  const { paths, run } = setUp();
  const session = '97430978-e1b6-43ab-94ea-764d5761eff9';
  const taken: string[] = [];
  const late = new LateStatusLines(paths.statusLineSeen, (payload, _at, pid) =>
    taken.push(`${pid} ${String(payload)}`),
  );
  onTestFinished(() => late.close());
  run(json(0.1));
  run(json(0.2));
  const withheldAt = statSync(join(paths.statusLineSeen, `${session}.late`)).mtimeMs;
  late.catchUp({ sessionId: session, at: withheldAt - 1 }, 7);
  expect(taken).toEqual([]);
  late.catchUp({ sessionId: session, at: withheldAt + 1 }, 7);
  expect(taken).toEqual([`7 ${json(0.2)}`]);
  late.catchUp({ sessionId: session, at: withheldAt + 1 }, 7);
  expect(taken).toHaveLength(1);
});

test('runs the own status line with the same input and umask, and passes output and exit code on', () => {
  const mask = process.umask().toString(8).padStart(4, '0');
  // It sees nothing of Drover's own script: no name, no function.
  const own = `cat; printf "it's \\"mine\\" $0 $#$session$model$time$home$newline "; send 2>/dev/null; umask; echo oops >&2; exit 3`;
  const before = `{\n  "statusLine": {"type": "command", "command": ${JSON.stringify(own)}, "padding": 0}\n}\n`;
  for (const shell of ['/bin/sh', '/bin/bash']) {
    const { run, spooled, file, paths } = setUp(before);
    for (const input of [json(1), `${json(1)}\n`, 'no json', ''])
      expect(run(input, shell)).toEqual({
        status: 3,
        stdout: `${input}it's "mine" ${shell} 0 ${mask}\n`,
        stderr: 'oops\n',
      });
    expect(spooled()).toHaveLength(1);
    // Its files are gone, or nothing can be written: the own line still runs.
    rmSync(paths.home, { recursive: true });
    expect(run(json(2), shell)).toEqual({
      status: 3,
      stdout: `${json(2)}it's "mine" ${shell} 0 ${mask}\n`,
      stderr: 'oops\n',
    });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ statusLine: { padding: 0 } });
  }
});

test.each([
  ['no file', undefined],
  ['an empty file', ''],
  ['an empty object', '{ }\n'],
  ['other settings', '{\r\n\t"model": "opus"\r\n}'],
  ['an own line with escapes', String.raw`{"statusLine":{"command":"echo \u0041","type":"command"}}`],
  ['a line with a quote', `{"a":1, "statusLine": {"type":"command","command":"echo 'x'","padding":2}}`],
])('is removed to the byte: %s', (_, before) => {
  const { file, paths, env, command } = setUp(before);
  const once = readFileSync(file, 'utf8');
  registerStatusLine(file, paths, env);
  expect(readFileSync(file, 'utf8')).toBe(once);
  expect(command()).toContain('statusline.sh');
  removeStatusLine(file, paths);
  const read = () => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return undefined;
    }
  };
  expect(read()).toBe(before);
  expect(readdirSync(paths.home)).not.toContain('statusline.sh');
});

test('restores the own line without a record too', () => {
  const before = `{"statusLine":{"type":"command","command":"echo 'x'"}}`;
  const { file, paths } = setUp(before);
  rmSync(paths.setup);
  removeStatusLine(file, paths);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('the command of the default home contains no path of this machine', () => {
  expect(statusLineCommand('', { HOME: '/home/me' })).toBe(
    `own=''; DROVER_STATUSLINE="\${DROVER_HOME:-$HOME/.drover}/statusline.sh"; test -r "$DROVER_STATUSLINE" && . "$DROVER_STATUSLINE"; test -z "$own" || eval "$own"`,
  );
  expect(pathsAt('/home/me/.drover').statusLine).toBe('/home/me/.drover/statusline.sh');
});
