/** Permission dialogs as Claude Code paints them, for tests with any text and width. Compared with recorded screens. */

export interface PaintedCall {
  tool: 'Bash' | 'Write' | 'mcp__elicit__ask';
  input: Record<string, string>;
}

/** The rows from the rule above the dialog on, in the style of 2.1.197 or of 2.1.325 and later. */
export const paintDialog = (call: PaintedCall, width: number, isOld: boolean): string[] =>
  [
    '─'.repeat(width),
    ...bodies[call.tool](call.input, width, isOld),
    ' ❯ 1. Yes',
    '   2. No',
    '',
    ' Esc to cancel · Tab to amend',
  ].map(row => row.trimEnd());

type Paint = (input: Record<string, string>, width: number, isOld: boolean) => string[];

const paintBash: Paint = ({ command = '', description = '' }, width, isOld) =>
  isOld
    ? [' Bash command', '', ...inset([command, description], width), '', ' Do you want to proceed?']
    : [
        ' Bash command',
        ...barred(description, width),
        dotted(width),
        ...barred(command, width),
        dotted(width),
        ' Do you want to proceed?',
      ];

const paintMcp: Paint = (input, width, isOld) => {
  const fields = Object.entries(input);
  if (isOld) {
    const shown = fields.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(', ');
    return [
      ' Tool use',
      '',
      ...inset([`elicit - ask(${shown}) (MCP)`], width),
      '',
      ' Do you want to proceed?',
    ];
  }
  const rows = fields.flatMap(([name, value]) => {
    const line = ` ${name}: ${JSON.stringify(value)}`;
    if (!value.includes('\n') && line.length < width) return [line];
    return [
      ` ${name}:`,
      ...value.split('\n').flatMap(text => wrap(text, width - 10).map(row => `   │ ${row}`)),
    ];
  });
  return [
    ' Tool use',
    ' elicit — Ask Tool: (MCP)',
    dotted(width),
    ...rows,
    dotted(width),
    ' About the elicit — Ask Tool:',
    ' │ Asks the user for a colour.',
    '',
    ' Do you want to proceed?',
  ];
};

const paintWrite: Paint = ({ file_path = '', content = '' }, width) => {
  const lines = content.split('\n');
  const digits = String(lines.length).length;
  const rows = lines.flatMap((line, n) => {
    const number = `  ${String(n + 1).padStart(digits)} `;
    return wrapHard(line, width - number.length - 1).map(
      (row, m) => (m === 0 ? number : ' '.repeat(number.length)) + row,
    );
  });
  return [
    ' Create file',
    ` ${file_path}`,
    dotted(width),
    ...rows,
    dotted(width),
    ` Do you want to create ${file_path}?`,
  ];
};

const bodies: { [tool in PaintedCall['tool']]: Paint } = {
  Bash: paintBash,
  Write: paintWrite,
  mcp__elicit__ask: paintMcp,
};

const dotted = (width: number): string => '╌'.repeat(width);

const inset = (texts: string[], width: number): string[] =>
  texts.flatMap(text => text.split('\n').flatMap(line => wrap(line, width - 6))).map(row => `   ${row}`);

/** One row as it is; several with a bar. */
const barred = (text: string, width: number): string[] => {
  const rows = text.split('\n').flatMap(line => wrap(line, width - 4));
  return rows.length === 1 ? rows.map(row => ` ${row}`) : rows.map(row => ` │ ${row}`);
};

const wrapHard = (text: string, columns: number): string[] => {
  const rows = text.match(new RegExp(`.{1,${columns}}`, 'gu'));
  return rows ?? [''];
};

/** Breaks a line at its spaces, and words that are longer than a row where they are. */
const wrap = (text: string, columns: number): string[] => {
  const rows = [''];
  const last = () => rows.at(-1) as string;
  for (const [n, word] of text.split(' ').entries()) {
    if (n > 0) {
      if (last().length >= columns) rows.push('');
      else rows[rows.length - 1] += ' ';
    }
    if (word.length > columns) {
      const here = 1 + Math.floor((word.length - (columns - last().length) - 1) / columns);
      if (Math.floor((word.length - 1) / columns) < here) rows.push('');
      for (const char of word) {
        if (last().length >= columns) rows.push('');
        rows[rows.length - 1] += char;
      }
      continue;
    }
    if (last().length + word.length > columns && last().length > 0 && word !== '') rows.push('');
    rows[rows.length - 1] += word;
  }
  return rows;
};
