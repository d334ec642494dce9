/** A terminal's screen as an image: lines of text with colour sequences in, SVG out. */
import { wide } from '../src/client/text.ts';

interface Style {
  front: string | null;
  back: string | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
}

interface Piece {
  column: number;
  columns: number;
  text: string;
  style: Style;
}

const plain: Style = {
  front: null,
  back: null,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
};
const paper = '#16181d';
const ink = '#d6d9e0';
const basic = [
  ['#3b4048', '#e06c75', '#8fbf6f', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#c5cad3'],
  ['#7f8794', '#ff8b92', '#a9d98b', '#ffd68a', '#82c4ff', '#d99bf0', '#7fd4df', '#ffffff'],
].flat();
const cell = { width: 8.4, height: 18 };
const margin = 14;

/** The picture of a screen of so many columns. */
export const svgOf = (screen: string, columns: number): string => {
  const lines = screen.replace(/\n$/, '').split('\n');
  const width = columns * cell.width + 2 * margin;
  const height = lines.length * cell.height + 2 * margin;
  let style = plain;
  const body = lines.map((line, row) => {
    const { pieces, last } = piecesOf(line, style);
    style = last;
    return pieces.map(piece => drawn(piece, row)).join('');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${height}" viewBox="0 0 ${round(width)} ${height}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">
<rect width="100%" height="100%" rx="8" fill="${paper}"/>
${body.filter(Boolean).join('\n')}
</svg>
`;
};

/** The line in pieces of one style each, and the style that goes on behind it. */
const piecesOf = (line: string, before: Style): { pieces: Piece[]; last: Style } => {
  const pieces: Piece[] = [];
  let style = before;
  let column = 0;
  for (const [n, part] of line.split(/\x1b\[([\d;:]*)m/).entries()) {
    if (n % 2) style = styled(style, part);
    else if (part !== '') {
      pieces.push({ column, columns: wide(part), text: part, style });
      column += wide(part);
    }
  }
  return { pieces, last: style };
};

const drawn = ({ column, columns, text, style }: Piece, row: number): string => {
  const front = style.inverse ? (style.back ?? paper) : (style.front ?? ink);
  const back = style.inverse ? (style.front ?? ink) : style.back;
  const x = round(margin + column * cell.width);
  const y = margin + row * cell.height;
  const length = round(columns * cell.width);
  const box = back
    ? `<rect x="${x}" y="${y}" width="${length}" height="${cell.height}" fill="${back}"/>`
    : '';
  if (text.trim() === '') return box;
  const looks = [
    style.bold ? ' font-weight="bold"' : '',
    style.italic ? ' font-style="italic"' : '',
    style.underline ? ' text-decoration="underline"' : '',
    style.dim ? ' opacity="0.6"' : '',
  ].join('');
  return `${box}<text x="${x}" y="${y + 13}" textLength="${length}" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="${front}"${looks}>${escaped(text)}</text>`;
};

const styled = (before: Style, sequence: string): Style => {
  const codes = sequence.split(/[;:]/).map(Number);
  let style = before;
  while (codes.length > 0) {
    const code = codes.shift() as number;
    if (code === 38 || code === 48) {
      const colour = longColour(codes);
      style = code === 38 ? { ...style, front: colour } : { ...style, back: colour };
    } else style = { ...style, ...changeOf(code) };
  }
  return style;
};

const changeOf = (code: number): Partial<Style> => {
  if (code >= 30 && code <= 37) return { front: basic[code - 30] as string };
  if (code >= 40 && code <= 47) return { back: basic[code - 40] as string };
  if (code >= 90 && code <= 97) return { front: basic[code - 82] as string };
  if (code >= 100 && code <= 107) return { back: basic[code - 92] as string };
  return changes[code] ?? {};
};

const changes: Record<number, Partial<Style> | undefined> = {
  0: plain,
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  39: { front: null },
  49: { back: null },
};

/** `5;n` or `2;r;g;b`, taken off the codes. */
const longColour = (codes: number[]): string => {
  const hex = (values: number[]) => `#${values.map(value => value.toString(16).padStart(2, '0')).join('')}`;
  if (codes.shift() === 2) return hex(codes.splice(0, 3));
  const n = codes.shift() ?? 0;
  if (n < 16) return basic[n] as string;
  if (n >= 232) return hex(Array(3).fill(8 + (n - 232) * 10) as number[]);
  const level = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  return hex([Math.floor((n - 16) / 36), Math.floor((n - 16) / 6) % 6, (n - 16) % 6].map(level));
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const round = (value: number): number => Math.round(value * 100) / 100;
