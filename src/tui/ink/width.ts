/** `string-width` for Ink, with a memory: most of what it measures it has measured a frame before. */
import stringWidth, { type Options } from 'string-width';

const most = 5_000;
const known = new Map<string, number>();

export default (text: string, options?: Options): number => {
  if (options) return stringWidth(text, options);
  if (text.length === 1 && text >= ' ' && text <= '~') return 1;
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= most) known.clear();
  const width = stringWidth(text);
  known.set(text, width);
  return width;
};
