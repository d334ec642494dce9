import { expect, test } from 'vitest';
import { aSession } from '../../testing/session.ts';
import { buildReport, type ReportSources } from './build-report.ts';

const marks = {
  token: 'tok_5up3rSecretTokenOfTheDaemon',
  webhook: 'https://hooks.example/T0/planted-hook',
  path: '/home/planted-user/planted project/file.ts',
  prompt: 'planted prompt: fix the gate',
  agent: 'planted-agent',
  pattern: 'planted-[a-z]+',
};

const known = 'could not watch the folder UserPromptSubmit Stop readConfig config.js managed';

const sources: ReportSources = {
  at: Date.parse('2026-11-16T12:00:00Z'),
  checks: [
    { name: 'disk', ok: true, says: '12 GB free' },
    { name: 'claude', ok: true, says: `2.1.325 at ${marks.path}` },
    { name: 'hooks', ok: true, says: `17 events in ${marks.path}; registered twice: ${marks.path}` },
    { name: 'repairs', ok: null, says: `hooks: the hooks in ${marks.path} are outdated; tmux: incomplete` },
    { name: `agent ${marks.agent}`, ok: false, says: marks.prompt },
    { name: 'config', ok: false, says: `${marks.path}: line 2: prices.${marks.agent}: no number` },
  ],
  status: null,
  sessions: [
    {
      ...aSession({ id: '4dd74d42-0000-4000-8000-000000000000', title: marks.prompt, state: 'working' }),
      cwd: marks.path,
      tags: [marks.agent],
    },
  ],
  events: [
    {
      seq: 7,
      at: 0,
      seen: 0,
      source: 'hook',
      name: 'UserPromptSubmit',
      sessionId: '4dd74d42-0000-4000-8000-000000000000',
      context: { projectDir: marks.path },
      payload: { prompt: marks.prompt },
    },
    { seq: 8, at: 0, seen: 0, source: 'hook', name: marks.agent, sessionId: marks.token, context: {} },
  ],
  config: {
    port: 4711,
    drive: 'managed',
    redact: [marks.pattern],
    notify: { after: 60, webhook: marks.webhook },
    agents: [{ agent_id: marks.agent, project: marks.path }],
    prices: { [marks.agent]: { input: 1, output: 2 } },
    [marks.agent]: marks.token,
  },
  log: [
    { at: '2026-11-16T11:00:00.000Z', level: 'info', message: marks.prompt },
    {
      at: '2026-11-16T11:00:00.000Z',
      level: 'error',
      message: 'could not watch the folder',
      error: `Error: ENOENT: no such file, open '${marks.path}'\n    at readConfig (${marks.path}/dist/config.js:12:3)\n    at ${marks.agent} (${marks.path})`,
    },
    { at: marks.token, level: 'error', message: `failed: ${marks.prompt}`, error: marks.token },
  ]
    .map(row => JSON.stringify(row))
    .join('\n'),
  secrets: [marks.token, '/home/planted-user'],
  isOwn: text => text.length > 3 && known.includes(text),
};

test('nothing of the user is in the report, wherever it was planted', () => {
  const report = buildReport(sources);
  expect(report).not.toMatch(/planted|5up3r|4dd74d42|gate|hooks\.example/i);
});

test('what is needed to find a bug is in it', () => {
  const report = JSON.parse(buildReport(sources)) as Record<string, unknown>;
  expect(report.doctor).toEqual([
    'disk: ok: 12 GB free',
    'claude: ok: 2.1.325',
    'hooks: ok: 17 events, registered twice',
    'repairs: does not apply: hooks, tmux',
    'agent: FAIL',
    'config: FAIL',
  ]);
  expect(report.config).toEqual({
    port: 4711,
    drive: 'managed',
    redact: '[list of 1]',
    notify: { after: 60, webhook: '[text]' },
    agents: '[list of 1]',
    prices: '[1 entries]',
    '[unknown fields]': 1,
  });
  expect(report.errors).toMatchObject([
    {
      at: '2026-11-16T11:00:00.000Z',
      message: 'could not watch the folder',
      stack: ['readConfig config.js:12'],
    },
    { at: '', message: '[36 characters hidden]' },
  ]);
  expect((report.errors as { error: string }[])[0]?.error).toMatch(
    /^Error ENOENT \[\d+ characters hidden\]$/,
  );
  expect(report.sessions).toMatchObject([{ id: 'session 1', state: 'working', isInPane: false }]);
  expect(report.events).toEqual([
    expect.stringMatching(/^7 1970-\S+ hook UserPromptSubmit session 1 \d+ bytes$/),
    expect.stringMatching(/^8 1970-\S+ hook \[13 characters hidden\] session 2 \d+ bytes$/),
  ]);
});
