/** A terminal's screen as an image: lines of text with colour sequences in, SVG out. */
import { type Colour, type Piece, piecesOf, plainStyle } from '../src/client/ansi.ts';

const paper = '#16181d';
const ink = '#d6d9e0';
const basic = [
  ['#3b4048', '#e06c75', '#8fbf6f', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#c5cad3'],
  ['#7f8794', '#ff8b92', '#a9d98b', '#ffd68a', '#82c4ff', '#d99bf0', '#7fd4df', '#ffffff'],
].flat();
const cell = { width: 8.4, height: 18 };
const margin = 14;

/** Draws a screen with this number of columns. */
export const svgOf = (screen: string, columns: number): string => {
  const lines = screen.replace(/\n$/, '').split('\n');
  const width = columns * cell.width + 2 * margin;
  const height = lines.length * cell.height + 2 * margin;
  let style = plainStyle;
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

const drawn = ({ column, columns, text, style }: Piece, row: number): string => {
  const [frontColour, backColour] = [hexOf(style.front), hexOf(style.back)];
  const front = style.inverse ? (backColour ?? paper) : (frontColour ?? ink);
  const back = style.inverse ? (frontColour ?? ink) : backColour;
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

const hexOf = (colour: Colour | null): string | null =>
  typeof colour === 'number' ? (basic[colour] as string) : colour;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const round = (value: number): number => Math.round(value * 100) / 100;
