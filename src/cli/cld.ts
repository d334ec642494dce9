/** The command `cld`, whose name Drover can go by (`drover setup --alias cld`): its words in those of `drover`. */

/** What `cld` was asked, as words for `drover`; null when it goes to `claude` as it stands. */
export const cldWords = (argv: string[]): string[] | null => {
  const words = argv.map(word => (word === '--yolo' ? '--danger' : word));
  const [first, ...rest] = words;
  if (first === 'resume') return words;
  if (first === 'fork') return ['resume', '--fork', ...rest];
  return words.every(word => own.has(word)) ? ['resume', '--or-new', ...words] : null;
};

/** With nothing but these it is about the session of this pane. */
const own = new Set(['-y', '--yes', '-n', '--no', '-D', '--danger', '--dry-run', '--json']);
