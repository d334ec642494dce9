/** The man page, made from the verb table. */
import type { VerbGroup } from '../table/verbs.ts';
import type { Option, Verb } from '../verb.ts';

/** Returns drover.1 in roff. */
export const manPage = (groups: VerbGroup[], version: string): string =>
  [
    `.TH DROVER 1 "" "drover ${version}" "Drover manual"`,
    '.SH NAME',
    'drover \\- show which of your Claude Code sessions needs you, and why',
    '.SH SYNOPSIS',
    '.B drover',
    '[\\fIcommand\\fR] [\\fIflags\\fR]',
    '.SH DESCRIPTION',
    'Without a command, drover shows the live board. Start with \\fBdrover setup\\fR.',
    ...groups.flatMap(({ title, verbs }) => [`.SH ${roff(title.toUpperCase())}`, ...verbs.flatMap(command)]),
    '.SH EXIT STATUS',
    ...exits.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, meaning]),
    '.SH FILES',
    '.TP',
    '.I ~/.drover',
    'All data: config.json, the event log, the log of the daemon. DROVER_HOME names another folder.',
    '.TP',
    '.I ~/.claude/settings.json',
    'The hooks are registered here by \\fBdrover setup\\fR and removed by \\fBdrover uninstall\\fR.',
    '',
  ].join('\n');

const exits = [
  [0, 'Done.'],
  [1, 'The check failed or nothing matched.'],
  [2, 'Wrong usage.'],
  [3, 'The daemon is not running.'],
  [4, 'No such session.'],
  [5, 'Ambiguous.'],
  [6, 'Not possible in this state.'],
  [7, 'Failed.'],
] as const;

const command = (verb: Verb): string[] => [
  `.SS drover ${roff(`${verb.name} ${verb.args}`.trimEnd())}`,
  `${roff(verb.summary)}.`,
  ...Object.entries(verb.options).flatMap(flag),
  ...paragraphs(verb.details ?? ''),
];

const flag = ([name, { short, value, help }]: [string, Option]): string[] => [
  '.TP',
  `${short ? `\\fB\\-${short}\\fR, ` : ''}\\fB\\-\\-${roff(name)}\\fR${value ? ` \\fI${roff(value)}\\fR` : ''}`,
  roff(help),
];

/** Text is filled to the width of the terminal; blocks with an indented line are shown as they are. */
const paragraphs = (details: string): string[] =>
  details
    .split('\n\n')
    .filter(Boolean)
    .flatMap(block => {
      const lines = block.split('\n').map(roff);
      return /^ /m.test(block) ? ['.PP', '.nf', ...lines, '.fi'] : ['.PP', ...lines];
    });

/** Escapes text, and sets text in backticks in bold. */
const roff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/`([^`]+)`/g, '\\fB$1\\fR')
    .replace(/^([.'])/, '\\&$1');
