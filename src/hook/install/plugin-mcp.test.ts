/** The plugin's own script: a server without tools where Drover is missing. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const script = fileURLToPath(new URL('../../../plugin/mcp.sh', import.meta.url));

const run = (input: string, home: string) =>
  spawnSync('sh', [script], { input, encoding: 'utf8', env: { PATH: process.env.PATH, DROVER_HOME: home } });

const emptyHome = (): string => {
  const home = mkdtempSync(join(tmpdir(), 'drover-plugin-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return home;
};

test('without Drover it answers each request and offers nothing', () => {
  const lines = [
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"method":"ping","jsonrpc":"2.0","id":"a-1"}',
    '{"method":"tools/list","jsonrpc":"2.0","id":12}',
  ];
  const { stdout, stderr, status } = run(`${lines.join('\n')}\n`, emptyHome());
  expect([status, stderr]).toEqual([0, '']);
  expect(
    stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as unknown),
  ).toEqual([
    {
      jsonrpc: '2.0',
      id: 0,
      result: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        serverInfo: { name: 'drover', version: '0' },
      },
    },
    { jsonrpc: '2.0', id: 'a-1', result: {} },
    { jsonrpc: '2.0', id: 12, error: { code: -32601, message: 'Drover is not set up.' } },
  ]);
});

test('with Drover it starts its MCP server', () => {
  const home = emptyHome();
  writeFileSync(join(home, 'mcp.sh'), 'echo "started $*"\n');
  expect(run('', home).stdout).toBe('started --plugin\n');
});
