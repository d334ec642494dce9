/** Help texts, generated from the verb table. */
import type { VerbGroup } from '../table/verbs.ts';
import type { Verb } from '../verb.ts';
import { fillRow, fillText } from './fill-text.ts';

/** Lists all commands by task, for `drover --help`. */
export const overview = (groups: VerbGroup[]): string => {
  const width = Math.max(...groups.flatMap(group => group.verbs.map(verb => verb.name.length)));
  return [
    'Drover shows which of your Claude Code sessions needs you, and why.',
    '',
    'Usage: drover <command> [flags]',
    ...groups.flatMap(({ title, verbs }) => [
      '',
      `${title}:`,
      ...verbs.map(verb => `  ${verb.name.padEnd(width)}  ${verb.summary}`),
    ]),
    '',
    'Start with `drover setup`, then run `drover` to see the board.',
    'Details: `drover <command> --help`. Data is in DROVER_HOME (default ~/.drover).',
  ].join('\n');
};

/** Describes one command, for `drover <command> --help` and docs/commands.md. */
export const verbHelp = (verb: Verb): string => {
  const flags = Object.entries(verb.options).map(([name, option]) => {
    const short = option.short ? `-${option.short}, ` : '    ';
    return [`${short}--${name}${option.value ? ` ${option.value}` : ''}`, option.help] as const;
  });
  const width = Math.max(0, ...flags.map(([left]) => left.length));
  return [
    fillRow(`Usage: drover ${verb.name} `, `${verb.args}${flags.length ? ' [flags]' : ''}`.trim()).trimEnd(),
    '',
    `${verb.summary}.`,
    ...(flags.length ? ['', ...flags.map(([left, help]) => fillRow(`  ${left.padEnd(width)}  `, help))] : []),
    ...(verb.details ? ['', fillText(verb.details)] : []),
  ].join('\n');
};
