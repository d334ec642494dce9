/** Draw the screen of a scripted session: the output, and below it the prompt or a dialog. Pure. */
import type { Dialog } from './dialog.ts';
import type { ToolUse } from './scripted-session.ts';

export interface View {
  output: string[];
  /** Seconds since the turn began; null between turns. */
  busy: number | null;
  dialog: Dialog | null;
  draft: string;
  /** Hint below the prompt. */
  footer: string;
}

const dim = (text: string): string => `\x1b[2m${text}\x1b[22m`;
const bold = (text: string): string => `\x1b[1m${text}\x1b[22m`;
const colour = (code: number, text: string): string => `\x1b[38;5;${code}m${text}\x1b[39m`;
const accent = (text: string): string => colour(173, text);
const green = (text: string): string => colour(71, text);
const blue = (text: string): string => colour(110, text);

export const headLines = (project: string): string[] => [
  accent('╭──────────────────────────────────────────╮'),
  `${accent('│')} ${bold('A scripted session')}${' of `drover demo`'.padEnd(22)} ${accent('│')}`,
  `${accent('│')} ${dim(`~/${project}`.padEnd(40))} ${accent('│')}`,
  accent('╰──────────────────────────────────────────╯'),
];
export const promptLines = (text: string): string[] => ['', `${dim('>')} ${bold(text)}`];
export const callLines = ({ tool, input }: ToolUse): string[] => [
  '',
  `${green('●')} ${bold(tool)}(${targetOf(input)})`,
];
export const resultLines = (text: string): string[] => [dim(`  └  ${text}`)];
export const textLines = (text: string): string[] => ['', `● ${text}`];
export const failedLines = (text: string): string[] => [colour(167, `  └  ${text}`)];

const targetOf = ({ command, file_path: file }: ToolUse['input']): string =>
  typeof command === 'string' ? command : typeof file === 'string' ? file : '…';

/** Redraw everything, with as many of the last lines as fit. Line by line, because tmux keeps a cleared screen in its history. */
export const frameOf = (view: View, columns: number, rows: number): string => {
  const below = view.dialog ? dialogLines(view.dialog, columns) : promptBox(view, columns);
  const wrapped = view.output.flatMap(line => wrap(line, columns));
  const above = wrapped.slice(-Math.max(1, rows - below.length));
  return `\x1b[H${[...above, ...below].slice(-rows).join('\x1b[K\r\n')}\x1b[K\x1b[J`;
};

const spinner = ['·', '✢', '✳', '✶', '✻', '✽'];

const promptBox = ({ busy, draft, footer }: View, columns: number): string[] => {
  const rule = dim('─'.repeat(columns));
  const sign = spinner[Math.floor((busy ?? 0) * 2) % spinner.length] ?? '·';
  return [
    '',
    ...(busy === null ? [] : [accent(`${sign} Working… `) + dim(`(${Math.floor(busy)}s)`), '']),
    rule,
    ...draft.split('\n').flatMap((line, index) => wrap(`${index === 0 ? '❯' : ' '} ${line}`, columns)),
    rule,
    dim(`  ${footer}`.slice(0, columns)),
  ];
};

const dialogLines = ({ title, body, steps, at, selected }: Dialog, columns: number): string[] => {
  const step = steps[at];
  return [
    '',
    blue('─'.repeat(columns)),
    ` ${bold(blue(title))}`,
    '',
    ...body.map(line => ` ${line}`),
    ...(body.length > 0 ? [''] : []),
    ` ${step?.question ?? ''}`,
    ...(step?.options ?? []).map((option, index) =>
      index === selected ? blue(` ❯ ${index + 1}. ${option}`) : `   ${index + 1}. ${option}`,
    ),
    '',
    dim(' Enter to select · Esc to refuse'),
  ].flatMap(line => wrap(line, columns));
};

/** Wrap a line at the terminal's width; colour sequences take no space and continue after the break. */
const wrap = (line: string, columns: number): string[] => {
  const rows = [''];
  let width = 0;
  for (const [piece] of line.matchAll(/\x1b\[[\d;]*m|[\s\S]/gu)) {
    if (!piece.startsWith('\x1b') && ++width > columns) {
      rows.push('');
      width = 1;
    }
    rows[rows.length - 1] += piece;
  }
  return rows;
};
