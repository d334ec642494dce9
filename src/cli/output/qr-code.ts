/**
 * Encodes text as a QR code: bytes, error correction level L, versions 1 to 15. The steps are those of ISO/IEC 18004: data
 * bits, Reed–Solomon blocks, interleaving, placement, and the mask with the lowest penalty.
 */

/** Rows of modules; true is dark. Throws a RangeError when the text is longer than 500 bytes or so. */
export const qrCode = (text: string): boolean[][] => {
  const bytes = Buffer.from(text, 'utf8');
  const version = versionFor(bytes.length);
  const words = interleaved(dataWords(bytes, version), version);
  const base = emptyCode(version);
  placeWords(base, words);
  const candidates = masks.map((mask, n) => masked(base, mask, n));
  return candidates.reduce((best, next) => (penaltyOf(next) < penaltyOf(best) ? next : best));
};

/** For each version: error correction words of a block, and the numbers of blocks with their data words. */
const blockTable: [ec: number, ...blocks: [count: number, words: number][]][] = [
  [7, [1, 19]],
  [10, [1, 34]],
  [15, [1, 55]],
  [20, [1, 80]],
  [26, [1, 108]],
  [18, [2, 68]],
  [20, [2, 78]],
  [24, [2, 97]],
  [30, [2, 116]],
  [18, [2, 68], [2, 69]],
  [20, [4, 81]],
  [24, [2, 92], [2, 93]],
  [26, [4, 107]],
  [30, [3, 115], [1, 116]],
  [22, [5, 87], [1, 88]],
];

const blocksOf = (version: number) => blockTable[version - 1] ?? [0];

const capacityOf = (version: number): number => {
  const [, ...blocks] = blocksOf(version);
  return blocks.reduce((sum, [count, words]) => sum + count * words, 0);
};

/** Bits of the length field. */
const lengthBits = (version: number): number => (version < 10 ? 8 : 16);

const versionFor = (length: number): number => {
  const at = blockTable.findIndex((_, n) => length * 8 + 4 + lengthBits(n + 1) <= capacityOf(n + 1) * 8);
  if (at < 0) throw new RangeError('The text is too long for a QR code.');
  return at + 1;
};

const dataWords = (bytes: Buffer, version: number): number[] => {
  const capacity = capacityOf(version);
  const bits = [
    '0100',
    bytes.length.toString(2).padStart(lengthBits(version), '0'),
    ...Array.from(bytes, byte => byte.toString(2).padStart(8, '0')),
  ].join('');
  const ended = bits + '0'.repeat(Math.min(4, capacity * 8 - bits.length));
  const whole = ended.padEnd(Math.ceil(ended.length / 8) * 8, '0');
  const words = (whole.match(/.{8}/g) ?? []).map(word => Number.parseInt(word, 2));
  const missing = capacity - words.length;
  return [...words, ...Array.from({ length: missing }, (_, n) => (n % 2 === 0 ? 0xec : 0x11))];
};

/** Splits the data into blocks, adds their error correction, and takes one word of each in turn. */
const interleaved = (words: number[], version: number): number[] => {
  const [ec, ...table] = blocksOf(version);
  const sizes = table.flatMap(([count, size]) => Array.from({ length: count }, () => size));
  let from = 0;
  const blocks = sizes.map(size => words.slice(from, (from += size)));
  const checks = blocks.map(block => remainder(block, ec));
  return [...inTurn(blocks), ...inTurn(checks)];
};

const inTurn = (blocks: number[][]): number[] =>
  Array.from({ length: Math.max(...blocks.map(block => block.length)) }, (_, n) =>
    blocks.flatMap(block => block[n] ?? []),
  ).flat();

/** Multiplies in GF(256) with the polynomial 0x11d. */
const multiply = (a: number, b: number): number => {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
};

/** The error correction words of a block. */
const remainder = (block: number[], degree: number): number[] => {
  let generator = [1];
  for (let n = 0, root = 1; n < degree; n++, root = multiply(root, 2)) {
    const shifted = [...generator, 0];
    generator = shifted.map((value, at) => value ^ multiply(generator[at - 1] ?? 0, root));
  }
  const rest = [...block, ...Array.from({ length: degree }, () => 0)];
  for (let at = 0; at < block.length; at++) {
    const factor = rest[at] ?? 0;
    generator.forEach((value, n) => {
      rest[at + n] = (rest[at + n] ?? 0) ^ multiply(value, factor);
    });
  }
  return rest.slice(block.length);
};

/** Modules of the code; null where data goes. */
type Code = (boolean | null)[][];

const emptyCode = (version: number): Code => {
  const size = 17 + 4 * version;
  const code: Code = Array.from({ length: size }, () => Array.from({ length: size }, () => null));
  const set = (row: number, column: number, dark: boolean) => {
    const line = code[row];
    if (line && column >= 0 && column < size) line[column] = dark;
  };
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    square(row, column, 4, (r, c, ring) => set(r, c, ring !== 2 && ring !== 4));
  const centres = alignmentsOf(version);
  const last = centres.length - 1;
  centres.forEach((row, i) =>
    centres.forEach((column, j) => {
      const isCorner = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0);
      if (!isCorner) square(row, column, 2, (r, c, ring) => set(r, c, ring !== 1));
    }),
  );
  for (let n = 8; n < size - 8; n++) {
    set(6, n, n % 2 === 0);
    set(n, 6, n % 2 === 0);
  }
  placeVersion(version, size, set);
  // Reserved for the format, which depends on the mask.
  placeFormat(0, size, set);
  return code;
};

/** Visits a square with the distance of each module from its centre. */
const square = (
  row: number,
  column: number,
  reach: number,
  visit: (row: number, column: number, ring: number) => void,
): void => {
  for (let r = -reach; r <= reach; r++)
    for (let c = -reach; c <= reach; c++) visit(row + r, column + c, Math.max(Math.abs(r), Math.abs(c)));
};

const alignmentsOf = (version: number): number[] => {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const end = version * 4 + 10;
  return [6, ...Array.from({ length: count - 1 }, (_, n) => end - (count - 2 - n) * step)];
};

type Set = (row: number, column: number, dark: boolean) => void;

/** The remainder of a number with `bits` check bits. */
const checked = (data: number, bits: number, polynomial: number): number => {
  let rest = data;
  for (let n = 0; n < bits; n++) rest = (rest << 1) ^ ((rest >>> (bits - 1)) * polynomial);
  return (data << bits) | rest;
};

const placeVersion = (version: number, size: number, set: Set): void => {
  if (version < 7) return;
  const bits = checked(version, 12, 0x1f25);
  for (let n = 0; n < 18; n++) {
    const dark = ((bits >>> n) & 1) === 1;
    const [far, near] = [size - 11 + (n % 3), Math.floor(n / 3)];
    set(near, far, dark);
    set(far, near, dark);
  }
};

const placeFormat = (mask: number, size: number, set: Set): void => {
  // Level L is 01.
  const bits = checked((1 << 3) | mask, 10, 0x537) ^ 0x5412;
  const dark = (n: number) => ((bits >>> n) & 1) === 1;
  for (let n = 0; n < 15; n++) {
    const near = n < 6 ? n : n < 8 ? n + 1 : 14 - n;
    if (n < 8) set(near, 8, dark(n));
    else set(8, n === 8 ? 7 : near, dark(n));
    if (n < 8) set(8, size - 1 - n, dark(n));
    else set(size - 15 + n, 8, dark(n));
  }
  set(size - 8, 8, true);
};

/** Fills the free modules in two columns at a time, from the right, up and down in turn. */
const placeWords = (code: Code, words: number[]): void => {
  const size = code.length;
  const bits = words.flatMap(word => Array.from({ length: 8 }, (_, n) => ((word >>> (7 - n)) & 1) === 1));
  let next = 0;
  for (let right = size - 1, isUp = true; right >= 1; right -= 2, isUp = !isUp) {
    // The column of the timing pattern is left out.
    if (right === 6) right = 5;
    for (let n = 0; n < size; n++) {
      const row = code[isUp ? size - 1 - n : n];
      for (const column of [right, right - 1])
        if (row && row[column] === null) row[column] = bits[next++] ?? false;
    }
  }
};

const masks: ((row: number, column: number) => boolean)[] = [
  (r, c) => (r + c) % 2 === 0,
  r => r % 2 === 0,
  (_, c) => c % 3 === 0,
  (r, c) => (r + c) % 3 === 0,
  (r, c) => (Math.floor(r / 2) + Math.floor(c / 3)) % 2 === 0,
  (r, c) => ((r * c) % 2) + ((r * c) % 3) === 0,
  (r, c) => (((r * c) % 2) + ((r * c) % 3)) % 2 === 0,
  (r, c) => (((r + c) % 2) + ((r * c) % 3)) % 2 === 0,
];

/** Applies a mask to the data, and writes the format. */
const masked = (base: Code, mask: (row: number, column: number) => boolean, number: number): boolean[][] => {
  const size = base.length;
  const fixed = emptyCode((size - 17) / 4);
  const code = base.map((row, r) =>
    row.map((dark, c) => (fixed[r]?.[c] === null && mask(r, c) ? !dark : dark === true)),
  );
  placeFormat(number, size, (row, column, dark) => {
    const line = code[row];
    if (line) line[column] = dark;
  });
  return code;
};

const penaltyOf = (code: boolean[][]): number => {
  const size = code.length;
  const columns = Array.from({ length: size }, (_, c) => code.map(row => row[c] === true));
  const lines = [...code, ...columns].map(line => line.map(dark => (dark ? '1' : '0')).join(''));
  let penalty = 0;
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    penalty += 40 * [...line.matchAll(/(?=10111010000|00001011101)/g)].length;
  }
  for (let r = 0; r + 1 < size; r++)
    for (let c = 0; c + 1 < size; c++) {
      const dark = code[r]?.[c];
      if (dark === code[r]?.[c + 1] && dark === code[r + 1]?.[c] && dark === code[r + 1]?.[c + 1])
        penalty += 3;
    }
  const share = code.flat().filter(Boolean).length / (size * size);
  return penalty + 10 * Math.floor(Math.abs(share * 20 - 10));
};
