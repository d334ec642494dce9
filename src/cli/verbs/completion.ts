/** `drover completion`: a script for the shell, made from the verb table. */
import { DroverError } from '../../contract/error.ts';
import type { Call, Verb } from '../verb.ts';
import { verbs } from '../table/verbs.ts';

export const run = (call: Call): number => {
  const script = scripts[call.args[0] as keyof typeof scripts];
  if (!script)
    throw new DroverError(
      'usage',
      'Name the shell: bash, zsh or fish.',
      'For example `drover completion bash > ~/.local/share/bash-completion/completions/drover`.',
    );
  call.out(script());
  return 0;
};

/** The actions of a verb, its first argument: `get|set`, or `[log|test]`. */
const actionsOf = ({ args }: Verb): string[] => /^\[?(\w+(?:\|\w+)+)/.exec(args)?.[1]?.split('|') ?? [];

const wordsOf = (verb: Verb): string =>
  [...actionsOf(verb), ...[...Object.keys(verb.options), 'help'].map(name => `--${name}`)].join(' ');

const isFile = (value: string | undefined): boolean => /file|dir|path/.test(value ?? '');

/** Flags with a value, each as written before it, and what completes the value. */
const flags = verbs.flatMap(verb =>
  Object.entries(verb.options)
    .filter(([, { value }]) => value !== undefined)
    .map(([name, { short, value, choices }]) => ({
      before: [`--${name}`, ...(short ? [`-${short}`] : [])]
        .map(flag => `"${verb.name} ${flag}"`)
        .join(' | '),
      /** Null: files. */
      values: choices ?? (isFile(value) ? null : []),
    })),
);

const bash = () => `_drover_files() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
  # bash 3.2 of macOS has no compopt.
  compopt -o filenames 2>/dev/null
}
_drover() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${verbs.map(verb => verb.name).join(' ')}"
  else
    case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD - 1]}" in
${flags.map(({ before, values }) => `      ${before}) ${values ? `words="${values.join(' ')}"` : '_drover_files; return'} ;;`).join('\n')}
${verbs.map(verb => `      "${verb.name} "*) words="${wordsOf(verb)}" ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _drover drover`;

const zsh = () => `#compdef drover
_drover() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${verbs.map(verb => `      ${zshWord(`${verb.name}:${verb.summary}`)}`).join('\n')}
    )
    _describe command commands
  else
    case "\${words[2]} \${words[CURRENT - 1]}" in
${flags.map(({ before, values }) => `      ${before}) ${values ? `compadd -- ${values.join(' ')}` : '_files'} ;;`).join('\n')}
${verbs.map(verb => `      "${verb.name} "*) compadd -- ${wordsOf(verb)} ;;`).join('\n')}
    esac
  fi
}
# In a folder of fpath this file is the function itself, and the first Tab runs it. Sourced, it only registers.
if [[ "\${funcstack[1]}" = _drover ]]; then
  _drover "$@"
else
  compdef _drover drover
fi`;

const zshWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const fish = () =>
  [
    'complete -c drover -f',
    ...verbs.map(
      verb => `complete -c drover -n __fish_use_subcommand -a ${verb.name} -d ${zshWord(verb.summary)}`,
    ),
    ...verbs.flatMap(verb => {
      const ofVerb = `complete -c drover -n '__fish_seen_subcommand_from ${verb.name}'`;
      const actions = actionsOf(verb);
      return [
        ...(actions.length > 0 ? [`${ofVerb} -a '${actions.join(' ')}'`] : []),
        ...Object.entries(verb.options).map(
          ([name, { short, value, choices: values, help }]) =>
            `${ofVerb} -l ${name}${short ? ` -s ${short}` : ''}${value ? ' -r' : ''}${isFile(value) && !values ? ' -F' : ''}${values ? ` -a '${values.join(' ')}'` : ''} -d ${zshWord(help)}`,
        ),
      ];
    }),
  ].join('\n');

const scripts = { bash, zsh, fish };
