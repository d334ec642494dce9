/** The commands and the skill of the plugin name only tools that exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { toolsFor } from './tools.ts';

const plugin = fileURLToPath(new URL('../../plugin', import.meta.url));
const texts = readdirSync(plugin, { recursive: true, encoding: 'utf8' }).filter(file =>
  /^(?:commands|skills)\/.*\.md$/.test(file),
);
const tools = new Set(toolsFor(['read', 'drive', 'answer']).map(({ name }) => name));

test.each(texts)('%s', file => {
  const text = readFileSync(join(plugin, file), 'utf8');
  const named = [...text.matchAll(/mcp__(?:plugin_drover_)?drover__(\w+)|`([a-z]+_[a-z_]+)`/g)];
  const names = named.map(([, allowed, mentioned]) => allowed ?? mentioned ?? '');
  expect(names.filter(name => !tools.has(name))).toEqual([]);
  expect(names.length).toBeGreaterThan(0);
  // A tool is allowed under the name that setup gives it and under that of the plugin.
  const allowed = /^allowed-tools: (.*)$/m.exec(text)?.[1]?.split(', ') ?? [];
  const bySetup = allowed.filter(name => name.startsWith('mcp__drover__'));
  for (const name of bySetup)
    expect(allowed).toContain(name.replace('mcp__drover__', 'mcp__plugin_drover_drover__'));
});
