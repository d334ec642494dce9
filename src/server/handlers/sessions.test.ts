import { expect, test } from 'vitest';
import type { SessionList, SessionPage } from '../../contract/api.ts';
import { hookDraft } from '../../testing/pipeline.ts';
import { openTestServer } from '../../testing/server.ts';

const id = 'aaaaaaaa-0000-4000-8000-000000000001';
const long = (end: string) => `${'x'.repeat(30_000)} ${end}`;

test.each([
  ['Stop', { last_assistant_message: long('said') }, 'said'],
  ['StopFailure', { error: long('failed') }, 'failed'],
  ['PermissionRequest', { tool_name: 'ExitPlanMode', tool_input: { plan: long('planned') } }, 'planned'],
  ['PermissionRequest', { tool_name: 'Bash', tool_input: { command: long('run') } }, 'run"}'],
])('lists mark the cut of a long %s, and the session itself has all of it', async (name, fields, end) => {
  const { ask, loop } = await openTestServer();
  const at = Date.now() - 10_000;
  const hook = (event: string, more: object) => ({
    draft: { ...hookDraft(event, { session_id: id, ...more }), at },
  });
  await loop.append([hook('UserPromptSubmit', {}), hook(name, fields)]);
  await loop.append([
    { draft: { ...hookDraft('Settled', { session_id: id }), at: at + 5_000, source: 'drover' } },
  ]);
  const { sessions } = (await ask('GET', '/sessions')).json() as SessionList;
  const listed = sessions[0]?.detail;
  expect(listed?.text).toHaveLength(8_000);
  expect(listed?.cut).toBeGreaterThan(22_000);
  const page = (await ask('GET', `/sessions/${id}`)).json() as SessionPage;
  expect(page.detail).toMatchObject({ cut: 0, line: listed?.line });
  expect(page.detail?.text?.length).toBe(8_000 + (listed?.cut ?? 0));
  expect(page.detail?.text?.endsWith(end)).toBe(true);
});
