/**
 * Renders CommonMark, with GFM tables and strikethrough, to React elements. No HTML string is ever made: raw HTML and
 * images are shown as text, and links lead only to http, https and mailto.
 */
import type { Definition, ListItem, Node, Nodes, Parent, Root, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough';
import { gfmTable } from 'micromark-extension-gfm-table';
import { memo, type ReactNode } from 'react';
import { clean } from '../../client/text.ts';
import './markdown.css';

/** Memoised: the page renders every second, and parsing a long message takes longer than the rest of it. */
export const Markdown = memo(({ text }: { text: string }) => {
  const source = clean(text);
  if (source.length > longestParsed)
    return (
      <div className="markdown">
        <p>{source}</p>
      </div>
    );
  const root = parse(source);
  return (
    <div className="markdown">
      {childrenOf(root, { source, targets: targetsIn(root), depth: 0, isInLink: false })}
    </div>
  );
});

/** Longer texts are shown as they are: parsing takes about 10 ms per thousand characters on a slow machine. */
const longestParsed = 60_000;

const parse = (source: string): Root =>
  fromMarkdown(source, {
    extensions: [gfmTable(), gfmStrikethrough({ singleTilde: false })],
    mdastExtensions: [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown()],
  });

interface Context {
  source: string;
  /** The targets of reference links, by identifier. */
  targets: ReadonlyMap<string, string>;
  depth: number;
  isInLink: boolean;
}

/** Deeper lists and quotes are shown as their source, because rendering is recursive. */
const deepest = 24;

const childrenOf = ({ children }: Parent, context: Context): ReactNode[] => {
  const inner = { ...context, depth: context.depth + 1 };
  return children.map((child, key) => elementOf(child as Nodes, key, inner));
};

const elementOf = (node: Nodes, key: number, context: Context): ReactNode => {
  if (context.depth > deepest) return sourceOf(node, context);
  switch (node.type) {
    case 'text':
      return context.isInLink ? node.value : withLinks(node.value);
    case 'html':
      return context.depth === 1 ? <p key={key}>{node.value}</p> : node.value;
    case 'paragraph':
      return <p key={key}>{childrenOf(node, context)}</p>;
    case 'heading':
      return headingOf(node.depth, childrenOf(node, context), key);
    case 'strong':
      return <strong key={key}>{childrenOf(node, context)}</strong>;
    case 'emphasis':
      return <em key={key}>{childrenOf(node, context)}</em>;
    case 'delete':
      return <s key={key}>{childrenOf(node, context)}</s>;
    case 'inlineCode':
      return <code key={key}>{node.value}</code>;
    case 'code':
      return (
        <pre key={key} tabIndex={0}>
          <code>{node.value}</code>
        </pre>
      );
    case 'break':
      return <br key={key} />;
    case 'thematicBreak':
      return <hr key={key} />;
    case 'blockquote':
      return <blockquote key={key}>{childrenOf(node, context)}</blockquote>;
    case 'list': {
      const items = node.children.map((item, n) => <Item key={n} item={item} context={context} />);
      if (!node.ordered) return <ul key={key}>{items}</ul>;
      return (
        <ol key={key} start={node.start === 1 ? undefined : (node.start ?? undefined)}>
          {items}
        </ol>
      );
    }
    case 'table':
      return <TableView key={key} table={node} context={context} />;
    case 'link':
      return linkTo(node.url, labelOf(node, context), key);
    case 'linkReference':
      return linkTo(context.targets.get(node.identifier) ?? '', labelOf(node, context), key);
    case 'image':
    case 'imageReference':
      return sourceOf(node, context);
    case 'definition':
      return null;
    default:
      return sourceOf(node, context);
  }
};

const sourceOf = ({ position }: Node, { source }: Context): string =>
  source.slice(position?.start.offset, position?.end.offset);

/** Headings of a message rank below those of the page. */
const headingOf = (level: number, children: ReactNode[], key: number): ReactNode => {
  if (level === 1) return <h4 key={key}>{children}</h4>;
  if (level === 2) return <h5 key={key}>{children}</h5>;
  return <h6 key={key}>{children}</h6>;
};

const Item = ({ item, context }: { item: ListItem; context: Context }) => {
  const task = taskIn(item);
  const inner = { ...context, depth: context.depth + 1 };
  return (
    <li className={task ? 'task' : undefined}>
      {task && <span aria-label={task.isDone ? 'done' : 'to do'}>{task.isDone ? '☑ ' : '☐ '}</span>}
      {(task?.children ?? item.children).map((child, key) =>
        child.type === 'paragraph' && !item.spread ? childrenOf(child, inner) : elementOf(child, key, inner),
      )}
    </li>
  );
};

/** Reads `[x] did` at the beginning of a list item. */
const taskIn = ({ children: [first, ...rest] }: ListItem) => {
  const text = first?.type === 'paragraph' ? first.children[0] : undefined;
  const found = text?.type === 'text' ? /^\[([ xX])\]\s+/.exec(text.value) : null;
  if (!found || first?.type !== 'paragraph' || text?.type !== 'text') return null;
  const shortened = { ...text, value: text.value.slice(found[0].length) };
  const paragraph = { ...first, children: [shortened, ...first.children.slice(1)] };
  return { isDone: found[1] !== ' ', children: [paragraph, ...rest] };
};

const TableView = ({ table, context }: { table: Table; context: Context }) => {
  const [head, ...rows] = table.children;
  return (
    <div className="wide" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {head?.children.map((cell, n) => (
              <th key={n}>{childrenOf(cell, context)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, n) => (
            <tr key={n}>
              {row.children.map((cell, column) => (
                <td key={column}>{childrenOf(cell, context)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** A link to the web or to a mail address; any other target is shown as text with the target as its title. */
const linkTo = (target: string, children: ReactNode, key: number): ReactNode =>
  /^(?:https?:\/\/|mailto:)/i.test(target) ? (
    <a key={key} href={target} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  ) : (
    <span key={key} title={target}>
      {children}
    </span>
  );

const labelOf = (node: Parent, context: Context): ReactNode[] =>
  childrenOf(node, { ...context, isInLink: true });

const bareAddress = /https?:\/\/[^\s<>()"']*[^\s<>()"'.,;:!?]/g;

/** Turns bare addresses in a text into links. */
const withLinks = (text: string): ReactNode[] => {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { 0: address, index } of text.matchAll(bareAddress)) {
    parts.push(text.slice(from, index), linkTo(address, address, index));
    from = index + address.length;
  }
  return [...parts, text.slice(from)];
};

const targetsIn = (root: Root): Map<string, string> => {
  const targets = new Map<string, string>();
  const visit = (node: Node): void => {
    if (node.type === 'definition') {
      const { identifier, url } = node as Definition;
      // The first definition counts.
      if (!targets.has(identifier)) targets.set(identifier, url);
    }
    for (const child of (node as Partial<Parent>).children ?? []) visit(child);
  };
  visit(root);
  return targets;
};
