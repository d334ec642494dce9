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
  ['- a\n- b\n  - c\n', '<ul><li>a</li><li><p>b</p><ul><li>c</li></ul></li></ul>'],
  ['1. a\n2. b\n\nend', '<ol><li>a</li><li>b</li></ol><p>end</p>'],
  ['```ts\nlet a = `<b>`;\n```\nend', '<pre tabindex="0"><code>let a = `&lt;b&gt;`;</code></pre><p>end</p>'],
  ['```\nnever closed', '<pre tabindex="0"><code>never closed</code></pre>'],
  ['> said\n> so', '<blockquote><p>said\nso</p></blockquote>'],
  ['a\n\n---\n\nb', '<p>a</p><hr/><p>b</p>'],
  ['- [x] did', '<ul><li class="task"><span aria-label="done">☑ </span>did</li></ul>'],
])('%j', (text, html) => {
  expect(made(text)).toBe(html);
});

test('a table', () => {
  expect(made('| a | b |\n|---|:-:|\n| 1 | `2` |')).toContain(
    '<tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><code>2</code></td></tr>',
  );
});

test('nothing of others becomes HTML, and links lead to the web alone', () => {
  expect(made('<img src=x onerror=alert(1)> <script>1</script>')).not.toMatch(/<(?:img|script)/);
  expect(made('[click](javascript:alert(1))')).not.toContain('href');
  expect(made('[click](data:text/html,x)')).not.toContain('href');
  expect(made('[click](https://example.org/a)')).toContain(
    '<a href="https://example.org/a" target="_blank" rel="noopener noreferrer">click</a>',
  );
  expect(made('![picture](https://example.org/a.png)')).not.toContain('<img');
  expect(made('\u001b[31mred\u0007')).toBe('<p>[31mred</p>');
});

test('text of any kind comes to an end', () => {
  for (const text of [
    '*'.repeat(5_000),
    '`'.repeat(5_000),
    '[('.repeat(3_000),
    '> '.repeat(500),
    '- '.repeat(500),
  ])
    expect(made(text).length).toBeGreaterThan(0);
});
