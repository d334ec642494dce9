/** A screenshot as a PNG of at most 256 colours: a third of the size, and no eye sees the difference on a page of flat colours. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Takes the 8-bit RGB or RGBA that Chromium writes. */
export const paletted = (png: Buffer): Buffer => {
  const { width, height, channels, data } = decoded(png);
  const colours = new Map<number, number>();
  const at = (pixel: number) => data.readUIntBE(pixel * channels, 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const colour = at(pixel);
    colours.set(colour, (colours.get(colour) ?? 0) + 1);
  }
  const palette = [...colours]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 256)
    .map(([colour]) => colour);
  const index = new Map(palette.map((colour, place) => [colour, place]));
  const placeOf = (colour: number): number => {
    const known = index.get(colour) ?? nearest(palette, colour);
    index.set(colour, known);
    return known;
  };
  // Each row begins with its filter: none.
  const rows = Buffer.alloc(height * (width + 1));
  for (let pixel = 0; pixel < width * height; pixel++)
    rows[pixel + Math.floor(pixel / width) + 1] = placeOf(at(pixel));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const inks = Buffer.from(palette.flatMap(colour => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('PLTE', inks),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

const nearest = (palette: number[], colour: number): number => {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const [place, other] of palette.entries()) {
    const apart =
      ((colour >> 16) - (other >> 16)) ** 2 +
      (((colour >> 8) & 255) - ((other >> 8) & 255)) ** 2 +
      ((colour & 255) - (other & 255)) ** 2;
    if (apart < least) [best, least] = [place, apart];
  }
  return best;
};

const chunk = (type: string, body: Buffer): Buffer => {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([size, typed, sum]);
};

const decoded = (png: Buffer) => {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const size = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + size));
    at += size + 12;
  }
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = png[25] === 6 ? 4 : 3;
  return {
    width,
    height,
    channels,
    data: unfiltered(inflateSync(Buffer.concat(parts)), width * channels, channels),
  };
};

/** Undoes the filter of each row: every byte is kept as its difference from those to the left and above. */
const unfiltered = (raw: Buffer, stride: number, step: number): Buffer => {
  const data = Buffer.alloc((raw.length / (stride + 1)) * stride);
  for (let row = 0; row * stride < data.length; row++) {
    const filter = raw[row * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = row * stride + x;
      const left = x >= step ? (data[at - step] as number) : 0;
      const above = row > 0 ? (data[at - stride] as number) : 0;
      const corner = x >= step && row > 0 ? (data[at - stride - step] as number) : 0;
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter ?? 0] ?? 0;
      data[at] = ((raw[row * (stride + 1) + 1 + x] as number) + guess) & 255;
    }
  }
  return data;
};

const paeth = (left: number, above: number, corner: number): number => {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
};
