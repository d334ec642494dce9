/** `drover service`: runs the daemon as a user service (systemd on Linux, launchd on macOS). */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DroverError } from '../../contract/error.ts';
import { programFile } from '../../hook/emitter.ts';
import { type Env, type Paths, userHome } from '../../paths.ts';
import { type Call, flag } from '../verb.ts';

export const run = (call: Call): number => {
  const [what] = call.args;
  if (what !== 'install' && what !== 'remove')
    throw new DroverError(
      'usage',
      'The action is missing.',
      'Use `drover service install` or `drover service remove`.',
    );
  const lines =
    what === 'install' ? installService(call.env, call.paths) : removeService(call.env, call.paths);
  if (flag(call, 'json')) call.out(JSON.stringify({ file: serviceFile(call.env), said: lines }));
  else for (const text of lines.length ? lines : ['No service is installed']) call.out(text);
  return 0;
};

/** Writes the unit, starts it and returns the report lines. */
export const installService = (env: Env, paths: Paths): string[] => {
  const file = serviceFile(env);
  const unit = process.platform === 'darwin' ? launchAgent(env, paths) : systemdUnit(env, paths);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, unit, { mode: 0o600 });
  return [
    `Wrote ${file}`,
    ...control(env, process.platform === 'darwin' ? ['load', '-w', file] : ['enable', '--now', name]),
  ];
};

/** Stops and removes the service. Returns no lines if there is none. */
export const removeService = (env: Env, _paths: Paths): string[] => {
  const file = serviceFile(env);
  if (!existsSync(file)) return [];
  const lines = control(
    env,
    process.platform === 'darwin' ? ['unload', '-w', file] : ['disable', '--now', name],
  );
  rmSync(file, { force: true });
  return [...lines, `Removed ${file}`];
};

const name = 'drover.service';

export const serviceFile = (env: Env): string =>
  process.platform === 'darwin'
    ? join(userHome(env), 'Library', 'LaunchAgents', 'drover.plist')
    : join(env.XDG_CONFIG_HOME || join(userHome(env), '.config'), 'systemd', 'user', name);

/** Runs the service manager. If that fails, reports the command to run. */
const control = (env: Env, args: string[]): string[] => {
  const command = process.platform === 'darwin' ? ['launchctl', ...args] : ['systemctl', '--user', ...args];
  const { status, stderr, error } = spawnSync(command[0] as string, command.slice(1), {
    env: env,
    encoding: 'utf8',
    timeout: 10_000,
  });
  const line = command.join(' ');
  if (status === 0) return [`Ran ${line}`];
  return [
    `Could not run ${line} (${error?.message || stderr.trim().split('\n').at(-1) || `exit ${status}`}); run it yourself`,
  ];
};

const kept = (env: Env): [string, string][] =>
  (['TMUX_TMPDIR', 'CLAUDE_CONFIG_DIR', 'DROVER_PORT'] as const).flatMap(key =>
    env[key] ? [[key, env[key]]] : [],
  );

const systemdUnit = (env: Env, paths: Paths): string => `[Unit]
Description=Drover, the control plane for Claude Code sessions

[Service]
ExecStart=${systemdArg(process.execPath)} ${systemdArg(programFile())} up --foreground
Environment=${[['PATH', env.PATH ?? ''], ['DROVER_HOME', paths.home], ...kept(env)].map(([key, value]) => systemdQuote(`${key}=${value}`)).join(' ')}
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=2 6
KillMode=process

[Install]
WantedBy=default.target
`;

/** Quotes a value for a unit file. `$` is special only in ExecStart. */
const systemdQuote = (word: string): string => `"${word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`;

const systemdArg = (word: string): string => systemdQuote(word).replaceAll('$', '$$$$');

const launchAgent = (env: Env, paths: Paths): string => `<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
  <key>Label</key><string>drover</string>
  <key>ProgramArguments</key><array>
${[process.execPath, programFile(), 'up', '--foreground'].map(word => `    <string>${xml(word)}</string>`).join('\n')}
  </array>
  <key>EnvironmentVariables</key><dict>
${[['PATH', env.PATH ?? ''], ['DROVER_HOME', paths.home], ...kept(env)].map(([key, value]) => `    <key>${key}</key><string>${xml(value ?? '')}</string>`).join('\n')}
  </dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
</dict></plist>
`;

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
