/** `drover completion`: a script for the shell, made from the verb table. */
import { DroverError } from '../../contract/error.ts';
import type { Call, Verb } from '../verb.ts';
import { verbs } from '../table/verbs.ts';

export const run = (call: Call): number => {
  const script = scripts[call.args[0] as keyof typeof scripts];
  if (!script)
    throw new DroverError(
      'usage',
      'Say for which shell: bash, zsh or fish.',
      'For example `drover completion bash > ~/.local/share/bash-completion/completions/drover`.',
    );
  call.out(script());
  return 0;
};

const flags = (verb: Verb): string[] => [...Object.keys(verb.options), 'help'].map(name => `--${name}`);

const completionsOf = (verb: Verb): string[] => [
  ...flags(verb),
  ...Object.values(verb.options).flatMap(option => option.choices ?? []),
  ...(/^\w+(?:\|\w+)+/.exec(verb.args)?.[0].split('|') ?? []),
];

const bash = () => `_drover() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${verbs.map(verb => verb.name).join(' ')}"
  else
    case "\${COMP_WORDS[1]}" in
${verbs.map(verb => `      ${verb.name}) words="${completionsOf(verb).join(' ')}" ;;`).join('\n')}
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
    case "\${words[2]}" in
${verbs.map(verb => `      ${verb.name}) compadd -- ${completionsOf(verb).join(' ')} ;;`).join('\n')}
    esac
  fi
}
compdef _drover drover`;

const zshWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const fish = () =>
  [
    'complete -c drover -f',
    ...verbs.map(
      verb => `complete -c drover -n __fish_use_subcommand -a ${verb.name} -d ${zshWord(verb.summary)}`,
    ),
    ...verbs.flatMap(verb =>
      Object.entries(verb.options).map(
        ([name, option]) =>
          `complete -c drover -n '__fish_seen_subcommand_from ${verb.name}' -l ${name}${option.short ? ` -s ${option.short}` : ''}${option.value ? ' -r' : ''} -d ${zshWord(option.help)}`,
      ),
    ),
  ].join('\n');

const scripts = { bash, zsh, fish };
