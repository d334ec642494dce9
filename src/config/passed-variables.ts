/**
 * Environment variables that `up`, `restart`, the automatic start and `drover new` pass on. One list for all of them, in the
 * shell's pattern syntax, because the emitter uses it too.
 */
import { configField } from './config-field.ts';
import type { Env } from '../paths.ts';
import { platformVariable } from '../platform/system.ts';

/** What a session needs to reach its model. Each group is a row in docs/guides/hub.md. */
export const sessionVariables = {
  authentication: [
    'ANTHROPIC_*',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_OAUTH_REFRESH_TOKEN',
    'CLAUDE_CODE_OAUTH_SCOPES',
    'CLAUDE_CODE_API_KEY_HELPER_TTL_MS',
  ],
  provider: [
    'CLAUDE_CODE_USE_*',
    'CLAUDE_CODE_SKIP_*_AUTH',
    'AWS_*',
    'GOOGLE_*',
    'GCLOUD_*',
    'CLOUDSDK_*',
    'CLOUD_ML_*',
    'VERTEX_*',
    'AZURE_*',
  ],
  proxy: ['*_PROXY', '*_proxy'],
  certificates: [
    'NODE_EXTRA_CA_CERTS',
    'SSL_CERT_FILE',
    'SSL_CERT_DIR',
    'CLAUDE_CODE_CERT_STORE',
    'CLAUDE_CODE_CLIENT_CERT',
    'CLAUDE_CODE_CLIENT_KEY',
    'CLAUDE_CODE_CLIENT_KEY_PASSPHRASE',
  ],
  traffic: ['DISABLE_*', 'CLAUDE_CODE_DISABLE_*'],
} as const;

/** What the daemon itself needs. It does not inherit the rest, because it outlives the terminal that started it. */
const daemonVariables = [
  'HOME',
  'PATH',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_*',
  'TZ',
  'TMPDIR',
  'TMUX_TMPDIR',
  'XDG_*',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'DBUS_SESSION_BUS_ADDRESS',
  'DROVER_HOME',
  'DROVER_PORT',
  // For the SSH tunnels of a fleet.
  'SSH_AUTH_SOCK',
  platformVariable,
  'CLAUDE_CONFIG_DIR',
];

/** Patterns of all variables that a background daemon gets; `more` is `env.pass` of the config. */
export const passedPatterns = (more: readonly string[]): string[] => [
  ...daemonVariables,
  ...Object.values(sessionVariables).flat(),
  ...more,
];

/** The environment of a background daemon. */
export const daemonEnvironment = (env: Env, more: readonly string[]): Env =>
  pick(env, matcher(passedPatterns(more)));

/** The variables of this environment that every session that Drover starts gets. */
export const sessionEnvironment = (env: Env, more: readonly string[]): Record<string, string> =>
  pick(env, matcher([...Object.values(sessionVariables).flat(), ...more])) as Record<string, string>;

/** An environment without them, for a tmux server: it would pass them on to every pane and show them to anyone who asks it. */
export const withoutSessionVariables = (env: Env, more: readonly string[]): Env => {
  const isSecret = matcher([...Object.values(sessionVariables).flat(), ...more.filter(isNotBasic)]);
  return pick(env, name => !isSecret(name));
};

/** Reads `env.pass` without checking the config, which the daemon does. */
export const readPassedNames = (configFile: string): string[] => {
  const names = configField(configFile, ['env', 'pass']);
  return Array.isArray(names) ? names.filter(isName) : [];
};

export const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

const isName = (value: unknown): value is string => typeof value === 'string' && variableName.test(value);

/** tmux itself needs HOME, PATH and the like, also where `env.pass` names them. */
const isNotBasic = (name: string): boolean => !matcher(daemonVariables)(name);

const pick = (env: Env, isWanted: (name: string) => boolean): Env =>
  Object.fromEntries(Object.entries(env).filter(([name, value]) => value !== undefined && isWanted(name)));

const matcher = (patterns: readonly string[]): ((name: string) => boolean) => {
  const expression = new RegExp(`^(?:${patterns.join('|').replaceAll('*', '.*')})$`);
  return name => expression.test(name);
};
