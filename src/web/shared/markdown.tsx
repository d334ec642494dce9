/**
 * Markdown as people write it in plans and answers. It makes elements, never HTML from text, so whatever a model says
 * stays text; links lead only to http and https, and nothing is loaded.
 */
import type { ReactNode } from 'react';
import { clean } from '../../client/text.ts';
import './markdown.css';

export const Markdown = ({ text }: { text: string }) => (
  <div className="markdown">{blocks(clean(text).split('\n'))}</div>
);

/** Lists and quotes in one another, deeper than anybody means it: shown as they stand. */
const deepest = 12;

const blocks = (lines: string[], depth = 0): ReactNode[] => {
  if (depth > deepest) return [<p key={0}>{lines.join('\n')}</p>];
  const made: ReactNode[] = [];
  let at = 0;
  while (at < lines.length) {
    const { node, next } = blockAt(lines, at, made.length, depth);
    if (node !== null) made.push(node);
    at = Math.max(next, at + 1);
  }
  return made;
};

interface Made {
  node: ReactNode;
  next: number;
}

const fence = /^\s{0,3}(```+|~~~+)\s*([\w+-]*)/;
const heading = /^(#{1,6})\s+(.*?)\s*#*$/;
const rule = /^\s{0,3}([-*_])(?:\s*\1){2,}\s*$/;
const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const quote = /^\s{0,3}>\s?(.*)$/;
const tableLine = /^\s*\|.*\|\s*$/;
const tableRule = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;

const blockAt = (lines: string[], at: number, key: number, depth: number): Made => {
  const line = lines[at] ?? '';
  if (line.trim() === '') return { node: null, next: at + 1 };
  if (fence.test(line)) return codeAt(lines, at, key);
  const head = heading.exec(line);
  if (head) return { node: headingOf((head[1] ?? '').length, head[2] ?? '', key), next: at + 1 };
  if (rule.test(line)) return { node: <hr key={key} />, next: at + 1 };
  if (quote.test(line)) return quoteAt(lines, at, key, depth);
  if (item.test(line)) return listAt(lines, at, key, depth);
  if (tableLine.test(line) && tableRule.test(lines[at + 1] ?? '')) return tableAt(lines, at, key);
  return paragraphAt(lines, at, key);
};

/** Headings of others stand below those of the page. */
const headingOf = (level: number, text: string, key: number): ReactNode => {
  if (level === 1) return <h4 key={key}>{inline(text)}</h4>;
  if (level === 2) return <h5 key={key}>{inline(text)}</h5>;
  return <h6 key={key}>{inline(text)}</h6>;
};

const codeAt = (lines: string[], at: number, key: number): Made => {
  const mark = fence.exec(lines[at] ?? '')?.[1] ?? '```';
  let end = at + 1;
  while (end < lines.length && !(lines[end] ?? '').trim().startsWith(mark)) end++;
  return {
    node: (
      <pre key={key} tabIndex={0}>
        <code>{lines.slice(at + 1, end).join('\n')}</code>
      </pre>
    ),
    next: end + 1,
  };
};

const quoteAt = (lines: string[], at: number, key: number, depth: number): Made => {
  let end = at;
  while (quote.test(lines[end] ?? '')) end++;
  const inner = lines.slice(at, end).map(line => quote.exec(line)?.[1] ?? '');
  return { node: <blockquote key={key}>{blocks(inner, depth + 1)}</blockquote>, next: end };
};

/** The items of one list; what is indented deeper belongs to the item above. */
const listAt = (lines: string[], at: number, key: number, depth: number): Made => {
  const [, indent = '', mark = ''] = item.exec(lines[at] ?? '') ?? [];
  const isNumbered = /\d/.test(mark);
  const items: string[][] = [];
  let end = at;
  for (; end < lines.length; end++) {
    const line = lines[end] ?? '';
    const found = item.exec(line);
    const depth = (/^\s*/.exec(line)?.[0] ?? '').length;
    if (found && depth <= indent.length) {
      if (depth < indent.length || /\d/.test(found[2] ?? '') !== isNumbered) break;
      items.push([found[3] ?? '']);
    } else if (line.trim() === '') {
      const next = lines[end + 1] ?? '';
      if (!(item.test(next) || /^\s{2,}\S/.test(next))) break;
      items.at(-1)?.push('');
    } else if (depth > indent.length || !startsBlock(line))
      items.at(-1)?.push(line.slice(Math.min(depth, indent.length + 2)));
    else break;
  }
  const made = items.map((inner, n) => <ListItem key={n} lines={inner} depth={depth} />);
  return { node: isNumbered ? <ol key={key}>{made}</ol> : <ul key={key}>{made}</ul>, next: end };
};

const ListItem = ({ lines, depth }: { lines: string[]; depth: number }) => {
  const task = /^\[([ xX])\]\s+(.*)$/.exec(lines[0] ?? '');
  const inner = task ? [task[2] ?? '', ...lines.slice(1)] : lines;
  const isShort = inner.every(line => line.trim() !== '' && !startsBlock(line));
  return (
    <li className={task ? 'task' : undefined}>
      {task && <span aria-label={task[1] === ' ' ? 'to do' : 'done'}>{task[1] === ' ' ? '☐ ' : '☑ '}</span>}
      {isShort ? inline(inner.map(line => line.trim()).join(' ')) : blocks(inner, depth + 1)}
    </li>
  );
};

const tableAt = (lines: string[], at: number, key: number): Made => {
  let end = at + 2;
  while (tableLine.test(lines[end] ?? '')) end++;
  const cells = (line: string) =>
    line
      .trim()
      .replace(/^\||\|$/g, '')
      .split('|')
      .map(cell => cell.trim());
  return {
    node: (
      <div className="wide" key={key} tabIndex={0} role="region" aria-label="Table">
        <table>
          <thead>
            <tr>
              {cells(lines[at] ?? '').map((cell, n) => (
                <th key={n}>{inline(cell)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.slice(at + 2, end).map((line, row) => (
              <tr key={row}>
                {cells(line).map((cell, n) => (
                  <td key={n}>{inline(cell)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    ),
    next: end,
  };
};

const startsBlock = (line: string): boolean =>
  fence.test(line) || heading.test(line) || rule.test(line) || quote.test(line) || item.test(line);

const paragraphAt = (lines: string[], at: number, key: number): Made => {
  let end = at + 1;
  while (end < lines.length && (lines[end] ?? '').trim() !== '' && !startsBlock(lines[end] ?? '')) end++;
  return { node: <p key={key}>{inline(lines.slice(at, end).join('\n'))}</p>, next: end };
};

const marks =
  /(`+)([\s\S]*?[^`])\1(?!`)|\*\*(\S(?:[\s\S]*?\S)?)\*\*|(?<![\w*])[*_](\S(?:[^*_]*?\S)?)[*_](?![\w*])|~~(\S(?:[\s\S]*?\S)?)~~|\[([^\]\n]+)\]\(([^()\s]+)\)|(https?:\/\/[^\s<>()"']*[^\s<>()"'.,;:!?])/g;

/** Code, bold, italics, struck through, and links. */
const inline = (text: string): ReactNode[] => {
  const made: ReactNode[] = [];
  let from = 0;
  for (const found of text.matchAll(marks)) {
    const [whole, , code, bold, italic, struck, label, target, address] = found;
    if (found.index > from) made.push(text.slice(from, found.index));
    from = found.index + whole.length;
    const key = found.index;
    if (code !== undefined) made.push(<code key={key}>{code.trim()}</code>);
    else if (bold !== undefined) made.push(<strong key={key}>{inline(bold)}</strong>);
    else if (italic !== undefined) made.push(<em key={key}>{inline(italic)}</em>);
    else if (struck !== undefined) made.push(<s key={key}>{inline(struck)}</s>);
    else made.push(linkOf(label ?? address ?? '', target ?? address ?? '', key));
  }
  if (from < text.length) made.push(text.slice(from));
  return made;
};

/** A link, where it leads to the web; anything else is shown as what it is. */
const linkOf = (label: string, target: string, key: number): ReactNode =>
  /^https?:\/\//i.test(target) ? (
    <a key={key} href={target} target="_blank" rel="noopener noreferrer">
      {label}
    </a>
  ) : (
    <span key={key} title={target}>
      {label}
    </span>
  );
