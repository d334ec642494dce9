/** The command `cld`, whose name Drover can go by (`drover setup --alias cld`): its words in those of `drover`. */

/** What `cld` was asked, as words for `drover`; null when it goes to `claude` as it stands. */
export const cldWords = (argv: string[]): string[] | null => {
  const [first, ...rest] = argv.map(word => (word === '--yolo' ? '--danger' : word));
  if (first === 'resume') return ['resume', ...rest];
  if (first === 'fork') return ['resume', '--fork', ...rest];
  return argv.every(word => own.has(word)) ? ['resume', '--or-new', ...argv.map(plain)] : null;
};

/** With nothing but these it is about the session of this pane. */
const own = new Set(['-y', '--yes', '-n', '--no', '-D', '--danger', '--yolo', '--dry-run', '--json']);

const plain = (word: string): string => (word === '--yolo' ? '--danger' : word);
