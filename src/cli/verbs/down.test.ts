import { createServer } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempHome } from '../../testing/home.ts';
import { run } from './down.ts';
import { mayHaveSurvivors } from '../setup/surviving-sessions.ts';
import type { Call } from '../verb.ts';

const id = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000001`;

/** A fake daemon: how it responds to DELETE, and the session afterwards, by id. */
const setUp = async (sessions: Record<string, { stops: boolean; left?: object }>) => {
  const paths = tempHome();
  mkdirSync(paths.home, { recursive: true });
  const asked: string[] = [];
  const server = createServer(({ method, url = '' }, response) => {
    asked.push(`${method} ${url}`);
    const named = sessions[url.slice('/sessions/'.length).split('?')[0] ?? ''];
    const refused = method === 'DELETE' && !named?.stops;
    const error = { error: { code: 'refused', message: 'It does not go.', hint: '' } };
    const rows = Object.keys(sessions).map(id => ({ id, managed: true }));
    const answer = named?.left ?? (url.startsWith('/sessions?') ? { sessions: rows } : { pid: 1, url: null });
    response.writeHead(refused ? 409 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(refused ? error : answer));
  });
  await new Promise<void>(done => server.listen(paths.socket, done));
  onTestFinished(() => void server.close());
  const output: string[] = [];
  const call = {
    paths,
    env: {},
    args: [],
    options: {},
    out: (text: string) => output.push(`out ${text}`),
    err: (text: string) => output.push(`err ${text}`),
  } as unknown as Call;
  return { call, output, asked };
};

test('a session that does not stop is named in output and exit code; the daemon stops anyway', async () => {
  const { call, output, asked } = await setUp({
    [id(1)]: { stops: true },
    [id(2)]: { stops: false, left: { state: 'waiting', next: null, pid: 4 } },
    [id(3)]: { stops: false, left: { state: 'ended', next: null, pid: 5 } },
  });
  expect(await run(call)).toBe(7);
  expect(output).toContain('err   22222222: It does not go.');
  expect(output.at(-1)).toContain(`err drover: not stopped: ${id(2)}`);
  expect(output.filter(line => line.endsWith(' stopped'))).toHaveLength(2);
  expect(asked).toContain('POST /stop');
  call.options.json = true;
  output.length = 0;
  await run(call);
  expect(JSON.parse(output.find(line => line.startsWith('out'))?.slice(4) ?? '')).toEqual({
    stopped: true,
    sessions: 2,
    failed: [id(2)],
  });
});

test('the successor of a cleared session is stopped', async () => {
  const { call, asked } = await setUp({
    [id(1)]: { stops: false, left: { state: 'ended', next: id(2), pid: 4 } },
    [id(2)]: { stops: true },
  });
  expect(await run(call)).toBe(0);
  expect(asked.filter(line => line === `DELETE /sessions/${id(2)}?force=1`).length).toBeGreaterThan(0);
});

test('without a daemon, sessions are searched only where Drover has started some', async () => {
  const paths = tempHome();
  const env = { HOME: paths.home };
  expect(await mayHaveSurvivors(paths, env)).toBe(false);
  const folder = join(paths.managed, id(1));
  mkdirSync(folder, { recursive: true });
  // One that has ended leaves its settings.
  writeFileSync(join(folder, 'resume.json'), '[]');
  expect(await mayHaveSurvivors(paths, env)).toBe(false);
  writeFileSync(join(folder, 'start.sh'), '');
  expect(await mayHaveSurvivors(paths, env)).toBe(true);
});
