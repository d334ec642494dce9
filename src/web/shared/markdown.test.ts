import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Markdown } from './markdown.tsx';

const made = (text: string): string =>
  renderToStaticMarkup(createElement(Markdown, { text })).replace(/^<div class="markdown">|<\/div>$/g, '');

test.each([
  ['# One\n\ntwo', '<h4>One</h4><p>two</p>'],
  [
    'a **bold** and `co de` and *slanted* word',
    '<p>a <strong>bold</strong> and <code>co de</code> and <em>slanted</em> word</p>',
  ],
  ['snake_case_name and 2 * 3 * 4', '<p>snake_case_name and 2 * 3 * 4</p>'],
  ['- a\n- b\n  - c\n', '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>'],
  ['1. a\n2. b\n\nend', '<ol><li>a</li><li>b</li></ol><p>end</p>'],
  ['```ts\nlet a = `<b>`;\n```\nend', '<pre tabindex="0"><code>let a = `&lt;b&gt;`;</code></pre><p>end</p>'],
  ['```\nnever closed', '<pre tabindex="0"><code>never closed</code></pre>'],
  ['> said\n> so', '<blockquote><p>said\nso</p></blockquote>'],
  ['a\n\n---\n\nb', '<p>a</p><hr/><p>b</p>'],
  ['~~gone~~ and ~kept~', '<p><s>gone</s> and ~kept~</p>'],
  ['3. c\n4. d', '<ol start="3"><li>c</li><li>d</li></ol>'],
  ['a\\\nb', '<p>a<br/>b</p>'],
  ['- a\n\n  b', '<ul><li><p>a</p><p>b</p></li></ul>'],
  ['- [x] did', '<ul><li class="task"><span aria-label="done">☑ </span>did</li></ul>'],
])('%j is rendered', (text, html) => {
  expect(made(text)).toBe(html);
});

test('a table has a head and rows', () => {
  expect(made('| a | b |\n|---|:-:|\n| 1 | `2` |')).toContain(
    '<tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><code>2</code></td></tr>',
  );
});

test('HTML and images in a message stay text', () => {
  expect(made('<img src=x onerror=alert(1)> <script>1</script>')).toBe(
    '<p>&lt;img src=x onerror=alert(1)&gt; &lt;script&gt;1&lt;/script&gt;</p>',
  );
  expect(made('a <b onclick=x>c</b>')).toBe('<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>');
  expect(made('![picture](https://example.org/a.png)')).toBe('<p>![picture](https://example.org/a.png)</p>');
  expect(made('![picture][p]\n\n[p]: https://example.org/a.png')).toBe('<p>![picture][p]</p>');
  expect(made('\u001b[31mred\u0007')).toBe('<p>[31mred</p>');
});

const link = (target: string, label: string): string =>
  `<a href="${target}" target="_blank" rel="noopener noreferrer">${label}</a>`;

test.each([
  ['[click](https://example.org/a)', link('https://example.org/a', 'click')],
  ['[write](mailto:me@example.org)', link('mailto:me@example.org', 'write')],
  ['[click][a]\n\n[a]: https://example.org/a', link('https://example.org/a', 'click')],
  ['see https://example.org/a.', `see ${link('https://example.org/a', 'https://example.org/a')}.`],
  ['<https://example.org/a>', link('https://example.org/a', 'https://example.org/a')],
  ['[https://example.org](https://example.net)', link('https://example.net', 'https://example.org')],
])('%j is a link', (text, html) => {
  expect(made(text)).toBe(`<p>${html}</p>`);
});

test.each([
  '[click](javascript:alert(1))',
  '[click](java&#115;cript:alert(1))',
  '[click](<java\tscript:alert(1)>)',
  '[click](data:text/html,x)',
  '[click](//example.org)',
  '[click](/sessions)',
  '[click][a]\n\n[a]: javascript:alert(1)',
  '<javascript:alert(1)>',
])('%j is no link', text => {
  expect(made(text)).toMatch(/^<p><span title="[^"]*">.*<\/span><\/p>$/);
});

test('endlessly nested text is shown', () => {
  const samples = ['*', '`', '[(', '> ', '- ', '~~a '].map(part => part.repeat(2_000));
  for (const text of samples) expect(made(text).length).toBeGreaterThan(0);
  const quoted = made(`${'> '.repeat(60)}end`);
  expect(quoted).toContain('end');
  expect(quoted.match(/<blockquote>/g)?.length).toBeLessThan(30);
});

test('a text that is too long to parse is shown as it is', () => {
  const text = '**a** '.repeat(20_000);
  expect(made(text)).toBe(`<p>${text}</p>`);
});
