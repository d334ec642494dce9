/** A message as the prose that its author wrote: without code, quotes, tables and links, in blocks and sentences. */

interface Block {
  text: string;
  /** An item of a list. */
  isOption: boolean;
}

/** What stands further from the end is not read: no question that waits for an answer stands there. */
const readLength = 6_000;

export const proseBlocks = (message: string): Block[] => {
  const blocks: Block[] = [];
  let isOpen = false;
  for (const line of proseLines(message)) {
    const item = /^\s*(?:[-*+•]|\(?\d{1,2}[.)]|\(?[A-Za-z][.)])\s+(.*)$/u.exec(line);
    const last = blocks.at(-1);
    if (line.trim() === '') isOpen = false;
    else if (item) blocks.push({ text: item[1] ?? '', isOption: true });
    else if (isOpen && last && (!last.isOption || /^\s/.test(line))) last.text += `\n${line.trim()}`;
    // An indented paragraph belongs to the item above it.
    else blocks.push({ text: line.trim(), isOption: /^\s{2,}/.test(line) && last?.isOption === true });
    if (line.trim() !== '') isOpen = true;
  }
  return blocks.map(block => ({ ...block, text: plain(block.text) })).filter(({ text }) => text !== '');
};

/** The lines that are prose. The inside of a fence, a quote, a table, a rule and a list of sources are not. */
const proseLines = (message: string): string[] => {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of message.replaceAll('\r', '').split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && mark !== undefined) fence = mark;
    else if (fence !== null && mark?.startsWith(fence)) fence = null;
    else if (fence === null && !/^\s*(?:>|\|)/.test(line) && !/^\s*(?:[-*_─━═]\s*){3,}$/u.test(line))
      lines.push(line);
  }
  return withoutSources(lines.join('\n').slice(-readLength).split('\n'));
};

/** Drops the list of links with which an answer that searched the web ends. */
const withoutSources = (lines: string[]): string[] => {
  const at = lines.findLastIndex(line => /^\W*(?:sources|references)\W*$/i.test(line));
  const isList = at >= 0 && lines.slice(at + 1).every(line => line.trim() === '' || /https?:\/\//.test(line));
  return isList ? lines.slice(0, at) : lines;
};

/** Without markup. A mark inside code, a link or a quotation ends no sentence, so it is hidden until `shownProse`. */
const plain = (text: string): string =>
  text
    .replaceAll(/!?\[([^\][\n]{0,300})\]\([^()\n]{0,500}\)/g, '$1')
    .replaceAll(
      /`{1,3}[^`\n]{1,500}`{1,3}|https?:\/\/\S*[^\s.,;:?!)]|["“„«「][^"”“»」\n]{0,500}["”“»」]/gu,
      hidden,
    )
    .replaceAll(/\*{1,3}|_{2,3}|^#{1,6}\s+/gm, '')
    .trim();

const marks = ['?', '？', '.', '!', '。', '！'];

/** Characters for private use stand for the marks. */
const firstHidden = 0xe000;

const hidden = (text: string): string =>
  text.replaceAll(/[?？.!。！]/gu, mark => String.fromCharCode(firstHidden + marks.indexOf(mark)));

/** The sentence as it was written. */
export const shownProse = (sentence: string): string =>
  sentence.replaceAll(/[\ue000-\ue005]/gu, mark => marks[mark.charCodeAt(0) - firstHidden] ?? '');

/** The sentences of a block, each with its mark at its end. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?？。！؟…][)\]"'”’»]{0,4})\s+|(?<=[？。！])|\n+/u)
    .map(sentence => withoutEnd(sentence.trim()))
    .filter(sentence => sentence !== '');

/** Without closing brackets and emoji after the mark. */
const withoutEnd = (sentence: string): string => {
  const end = sentence.slice(-endLength);
  const shorter = end.replace(/[\s)\]"'”’»\p{Extended_Pictographic}\u{fe0f}\u{200d}]+$/u, '');
  return sentence.slice(0, sentence.length - end.length) + shorter;
};

/** More than that is no ornament. A bound also keeps hostile text cheap. */
const endLength = 40;
