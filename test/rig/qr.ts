/** Reads a QR code from the text of a terminal, as a scanner does: format, mask, words, blocks, check words, bytes. */

/** The text in a code that is drawn with half blocks. Throws when a check word is wrong. */
export function readQr(screen: string): string {
  const code = modulesIn(screen);
  const size = code.length;
  const version = (size - 17) / 4;
  const format = [0, 1, 2, 3, 4, 5, 7, 8].map(column => code[8]?.[column] === true);
  // The first five bits, with the fixed pattern removed: level, mask.
  const plain = [1, 0, 1, 0, 1].map((bit, n) => (bit === 1) !== (format[n] === true));
  if (plain[0] !== false || plain[1] !== true) throw new Error('the level is not L');
  const mask = Number(plain[2]) * 4 + Number(plain[3]) * 2 + Number(plain[4]);
  const words = wordsOf(code, version, mask);
  const data = dataOf(words, version);
  const bits = data.map(word => word.toString(2).padStart(8, '0')).join('');
  if (!bits.startsWith('0100')) throw new Error('the mode is not bytes');
  const lengthEnd = 4 + (version < 10 ? 8 : 16);
  const length = Number.parseInt(bits.slice(4, lengthEnd), 2);
  const bytes = Array.from({ length }, (_, n) =>
    Number.parseInt(bits.slice(lengthEnd + 8 * n, lengthEnd + 8 * n + 8), 2),
  );
  return Buffer.from(bytes).toString('utf8');
}

function modulesIn(screen: string): boolean[][] {
  const rows = screen.split('\n').filter(row => /^[ █▀▄]*[█▀▄]{2}[ █▀▄]*$/.test(row));
  const halves = rows.flatMap(row => [
    Array.from(row, block => block === '█' || block === '▀'),
    Array.from(row, block => block === '█' || block === '▄'),
  ]);
  const left = Math.min(...halves.flatMap(row => (row.includes(true) ? [row.indexOf(true)] : [])));
  const right = Math.max(...halves.map(row => row.lastIndexOf(true)));
  const top = halves.findIndex(row => row.includes(true));
  const size = right - left + 1;
  return halves
    .slice(top, top + size)
    .map(row => Array.from({ length: size }, (_, n) => row[left + n] === true));
}

const masks: ((r: number, c: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  r => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

function wordsOf(code: boolean[][], version: number, mask: number): number[] {
  const size = code.length;
  const flips = masks[mask] ?? (() => false);
  const bits: boolean[] = [];
  for (let right = size - 1, isUp = true; right >= 1; right -= 2, isUp = !isUp) {
    if (right === 6) right = 5;
    for (let n = 0; n < size; n++) {
      const row = isUp ? size - 1 - n : n;
      for (const column of [right, right - 1])
        if (!isFixed(row, column, size, version))
          bits.push((code[row]?.[column] === true) !== flips(row, column));
    }
  }
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, n) =>
    bits.slice(8 * n, 8 * n + 8).reduce((word, bit) => word * 2 + Number(bit), 0),
  );
}

/** Alignment centres of versions 2 to 10, from the table of the standard. */
const centres = [
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
];

function isFixed(row: number, column: number, size: number, version: number): boolean {
  if ((row < 9 && column < 9) || (row < 9 && column >= size - 8) || (column < 9 && row >= size - 8))
    return true;
  if (row === 6 || column === 6) return true;
  if (version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11))) return true;
  const at = centres[version - 2] ?? [];
  const [r, c] = [row, column].map(place => at.find(centre => Math.abs(centre - place) <= 2));
  if (r === undefined || c === undefined) return false;
  const last = at.at(-1);
  return !((r === 6 && c === 6) || (r === 6 && c === last) || (r === last && c === 6));
}

/** Check words of a block and its number, and data words: level L of versions 1 to 9. */
const blocks: [check: number, count: number, data: number][] = [
  [7, 1, 19],
  [10, 1, 34],
  [15, 1, 55],
  [20, 1, 80],
  [26, 1, 108],
  [18, 2, 68],
  [20, 2, 78],
  [24, 2, 97],
  [30, 2, 116],
];

function dataOf(words: number[], version: number): number[] {
  const [check, count, data] = blocks[version - 1] ?? [0, 0, 0];
  const whole = Array.from({ length: count }, (_, block) => [
    ...Array.from({ length: data }, (__, n) => words[n * count + block] ?? 0),
    ...Array.from({ length: check }, (__, n) => words[(data + n) * count + block] ?? 0),
  ]);
  for (const block of whole)
    for (let n = 0; n < check; n++) {
      const rest = block.reduce((sum, word) => times(sum, power(n)) ^ word, 0);
      if (rest !== 0) throw new Error('a check word is wrong');
    }
  return whole.flatMap(block => block.slice(0, data));
}

/** 2 to the n in GF(256). */
const power = (n: number): number => Array.from({ length: n }).reduce<number>(value => times(value, 2), 1);

function times(a: number, b: number): number {
  let product = 0;
  for (let [left, right] = [a, b]; right > 0; right >>>= 1) {
    if (right & 1) product ^= left;
    left <<= 1;
    if (left & 0x100) left ^= 0x11d;
  }
  return product;
}
