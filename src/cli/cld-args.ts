/**
 * Translates the arguments of `cld` (`drover setup --alias cld`). Its own flags are recognised wherever they stand, alone or
 * together (`-yD`); everything else is for `claude`.
 */

export type CldCall =
  /** Arguments for `drover`. */
  | { drover: string[] }
  /** A plain `claude` with these arguments; `isDryRun`: only print it. */
  | { claude: string[]; isDryRun: boolean };

export const cldCall = (argv: string[]): CldCall => {
  const [first = '', ...rest] = argv;
  if (first === 'resume' || first === 'fork') return { drover: resumeArgs(first, rest) };
  const { own, foreign } = split(argv, ownFlags);
  // `-y` and `-n` answer the question whether to resume, so they mean the session of this pane.
  const isAboutPane = foreign.length === 0 || own.some(flag => answers.has(flag));
  if (isAboutPane) return { drover: ['resume', '--or-new', ...own, ...passed(foreign)] };
  const isDryRun = own.includes('--dry-run');
  return { claude: [...(own.some(isDanger) ? [dangerously] : []), ...foreign], isDryRun };
};

const resumeArgs = (verb: 'resume' | 'fork', argv: string[]): string[] => {
  const { own, foreign } = split(argv, new Set([...ownFlags, ...resumeFlags]));
  const fork = verb === 'fork' ? ['--fork'] : [];
  const isFirst = foreign[0] !== undefined && !foreign[0].startsWith('-');
  const at = isFirst ? 0 : foreign.findIndex(word => sessionId.test(word.trim()));
  const named = at < 0 ? [] : [foreign[at] as string];
  return ['resume', ...fork, ...own, ...named, ...passed(foreign.filter((_, n) => n !== at))];
};

/** Separates own flags from the rest. What follows `--`, or a command of Claude Code such as `mcp`, is never ours. */
const split = (argv: string[], flags: Set<string>): { own: string[]; foreign: string[] } => {
  const own: string[] = [];
  const foreign: string[] = [];
  for (const [at, arg] of argv.entries()) {
    if (arg === '--' || (foreign.length === 0 && claudeCommands.has(arg)))
      return { own, foreign: [...foreign, ...argv.slice(arg === '--' ? at + 1 : at)] };
    const expanded = /^-[ynD]{2,}$/.test(arg)
      ? arg
          .slice(1)
          .split('')
          .map(letter => `-${letter}`)
      : [arg];
    if (expanded.every(one => flags.has(one))) own.push(...expanded.map(one => names[one] ?? one));
    else foreign.push(arg);
  }
  return { own, foreign };
};

const passed = (foreign: string[]): string[] => (foreign.length > 0 ? ['--', ...foreign] : []);

const answers = new Set(['-y', '--yes', '-n', '--no']);
const isDanger = (flag: string): boolean => flag === '-D' || flag === '--danger';
const dangerously = '--dangerously-skip-permissions';
const names: Record<string, string> = { '--yolo': '--danger' };
const ownFlags = new Set([...answers, '-D', '--danger', '--yolo', '--dry-run', '--json']);
const resumeFlags = ['--here', '--mkdir', '--fork', '--pick', '--help', '-h'];
const sessionId = /^[0-9a-f][0-9a-f-]{5,}$/i;

/** Commands of Claude Code, whose arguments may look like flags of ours. */
const claudeCommands = new Set([
  'agents',
  'attach',
  'auth',
  'auto-mode',
  'doctor',
  'gateway',
  'import',
  'install',
  'kill',
  'logs',
  'mcp',
  'plugin',
  'plugins',
  'project',
  'purge',
  'respawn',
  'rm',
  'setup-token',
  'stop',
  'ultrareview',
  'update',
  'upgrade',
]);
