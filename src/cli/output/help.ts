/** Help, made from the verb table. */
import type { Verb } from '../verb.ts';

export const overview = (verbs: Verb[]): string => {
  const width = Math.max(...verbs.map(verb => verb.name.length));
  return [
    'Drover knows which of your Claude Code sessions needs you, and why.',
    '',
    'usage: drover <command> [flags]',
    '',
    ...verbs.map(verb => `  ${verb.name.padEnd(width)}  ${verb.summary}`),
    '',
    'Begin with `drover setup` (registers the hooks) and `drover up` (starts the daemon).',
    '`drover <command> --help` tells more. Files are in DROVER_HOME (default ~/.drover).',
  ].join('\n');
};

export const verbHelp = (verb: Verb): string => {
  const flags = Object.entries(verb.options).map(([name, option]) => {
    const short = option.short ? `-${option.short}, ` : '    ';
    return [`${short}--${name}${option.value ? ` ${option.value}` : ''}`, option.help] as const;
  });
  const width = Math.max(0, ...flags.map(([left]) => left.length));
  return [
    `usage: drover ${verb.name}${verb.words ? ` ${verb.words}` : ''}${flags.length ? ' [flags]' : ''}`,
    '',
    `${verb.summary[0]?.toUpperCase()}${verb.summary.slice(1)}.`,
    ...(flags.length ? ['', ...flags.map(([left, help]) => `  ${left.padEnd(width)}  ${help}`)] : []),
    ...(verb.more ? ['', verb.more] : []),
  ].join('\n');
};
