/** Choose the arguments of a running Claude Code that its next run needs again: settings, model, mode and folders. */
import type { Session } from '../../contract/session.ts';

/** Flags with one value. */
const single = new Set([
  '--model',
  '--fallback-model',
  '--settings',
  '--setting-sources',
  '--append-system-prompt',
  '--append-system-prompt-file',
  '--system-prompt',
  '--system-prompt-file',
  '--agent',
  '--agents',
  '--effort',
]);

/** Flags that take all values up to the next flag. */
const several = new Set([
  '--add-dir',
  '--allowedTools',
  '--allowed-tools',
  '--disallowedTools',
  '--disallowed-tools',
  '--tools',
  '--mcp-config',
  '--plugin-dir',
  '--betas',
]);

const switches = new Set([
  '--dangerously-skip-permissions',
  '--allow-dangerously-skip-permissions',
  '--strict-mcp-config',
  '--disable-slash-commands',
  '--verbose',
  '--ide',
  '--chrome',
  '--no-chrome',
]);

/** Prompts, ids and unknown flags are left out. The mode is the one that the session is in, not the one it began with. */
export const keptArguments = (
  argv: string[],
  { permissionMode }: Pick<Session, 'permissionMode'>,
): string[] => {
  const kept: string[] = [];
  let [skips, mode] = [false, permissionMode];
  for (let at = 1; at < argv.length; at++) {
    const [flag, value] = splitFlag(argv[at] as string);
    if (flag === '--permission-mode') mode ??= value ?? argv[at + 1] ?? null;
    if (flag === '--dangerously-skip-permissions') skips = true;
    if (switches.has(flag)) kept.push(flag);
    else if (value !== undefined && (single.has(flag) || several.has(flag))) kept.push(`${flag}=${value}`);
    else if (single.has(flag) && argv[at + 1] !== undefined) kept.push(flag, argv[++at] as string);
    else if (several.has(flag)) {
      kept.push(flag);
      while (at + 1 < argv.length && !(argv[at + 1] as string).startsWith('-'))
        kept.push(argv[++at] as string);
    }
  }
  // Skipping permissions is a mode too, which another one would turn off only if the person had changed it.
  const isSame = skips && mode === 'bypassPermissions';
  return mode === null || isSame
    ? kept.filter(Boolean)
    : [...kept.filter(Boolean), '--permission-mode', mode];
};

/** Flags whose value often has spaces. */
const spaced = new Set([
  '--settings',
  '--append-system-prompt',
  '--system-prompt',
  '--agents',
  '--mcp-config',
]);

/**
 * Check words of a command line whose arguments were joined by spaces: true when the values of kept flags cannot be told from
 * what follows them.
 */
export const isAmbiguous = (words: string[]): boolean =>
  words.some((word, at) => {
    const [flag, value] = splitFlag(word);
    if (!single.has(flag) && !several.has(flag)) return false;
    const rest = words.slice(at + 1);
    const next = rest.findIndex(one => one.startsWith('-'));
    const values = [...(value === undefined ? [] : [value]), ...(next < 0 ? rest : rest.slice(0, next))];
    const isCut = values.some(one => /["'{[]/.test(one) || count(one, '(') !== count(one, ')'));
    return isCut || (spaced.has(flag) && values.length > 1);
  });

const count = (text: string, character: string): number => text.split(character).length - 1;

const splitFlag = (arg: string): [string, string | undefined] => {
  const at = arg.startsWith('--') ? arg.indexOf('=') : -1;
  return at < 0 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
};
