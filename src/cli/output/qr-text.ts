/** Draws a QR code in a terminal: two rows of modules in one row of text, dark on white whatever the colours of the terminal. */
import { qrCode } from './qr-code.ts';

/** Modules of white around the code. */
const margin = 2;

export const qrText = (text: string): string => {
  const code = qrCode(text);
  const isDark = (row: number, column: number): boolean => code[row - margin]?.[column - margin] ?? false;
  const size = code.length + 2 * margin;
  return Array.from({ length: Math.ceil(size / 2) }, (_, line) => {
    const blocks = Array.from({ length: size }, (__, column) => {
      const [top, bottom] = [isDark(2 * line, column), isDark(2 * line + 1, column)];
      return top ? (bottom ? '█' : '▀') : bottom ? '▄' : ' ';
    });
    return `\x1b[30;107m${blocks.join('')}\x1b[0m`;
  }).join('\n');
};
