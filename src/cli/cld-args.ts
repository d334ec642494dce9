/** Translates the arguments of `cld` (`drover setup --alias cld`) into those of `drover`. */

/** Returns the arguments for `drover`, or null if they are meant for `claude`. */
export const cldArgs = (argv: string[]): string[] | null => {
  const args = argv.map(arg => (arg === '--yolo' ? '--danger' : arg));
  const [first, ...rest] = args;
  if (first === 'resume') return args;
  if (first === 'fork') return ['resume', '--fork', ...rest];
  return args.every(arg => ownFlags.has(arg)) ? ['resume', '--or-new', ...args] : null;
};

/** Flags that are about the session of this pane. Anything else goes to `claude`. */
const ownFlags = new Set(['-y', '--yes', '-n', '--no', '-D', '--danger', '--dry-run', '--json']);
