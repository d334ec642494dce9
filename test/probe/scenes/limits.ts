/** A subscription that reaches its usage limit; an overloaded API; an API key that is refused. */
import { openProbe, labelsOf, type Probe } from '../probe.ts';
import { menuOf } from '../../../src/claude/screen/menu.ts';
import { transcriptLines } from '../../../src/claude/transcript.ts';
import { readFileSync } from 'node:fs';
import { until } from '../../rig/within.ts';
import { fieldsOf, sorted } from '../facts.ts';

export const usageLimits = async ({ version, fact }: Probe): Promise<void> => {
  const probe = await openProbe(version, { subscription: true });
  try {
    await limit(probe, fact);
  } finally {
    await probe.world.close();
  }
};

const limit = async (probe: Probe, fact: Probe['fact']): Promise<void> => {
  const { world, hooks } = probe;
  // Half a minute: the text has whole minutes, the status line has seconds.
  const resetsAt = Math.floor(Date.now() / 60_000) * 60 + 7_230;
  world.model.quota = { percent: 62, resetsAt };
  const seat = await world.claude({ prompt: 'SAY hello', env: { TZ: 'UTC' } });
  await hooks.saw(({ name }) => name === 'Stop');
  const limits = await until(
    10_000,
    () => `no rate limits in ${JSON.stringify(probe.statusLine())}`,
    () => Object(probe.statusLine()).rate_limits as object | undefined,
  );
  fact('limit.statusLineFields', fieldsOf(limits));
  fact('limit.statusLineHasSeconds', Object(Object(limits).five_hour).resets_at === resetsAt);
  probe.fired();
  await seat.type('LIMIT');
  const failed = await hooks.saw(({ name }) => name === 'StopFailure', 30_000);
  fact('limit.error', String(failed.payload.error));
  fact('limit.message', withoutTime(String(failed.payload.last_assistant_message)));
  const file = await seat.file(({ status }) => status !== 'busy');
  fact('limit.fires', sorted(await probe.firedAfterPause()));
  fact('limit.file', [file.status, file.waitingFor ?? '']);
  const screen = await seat.screen();
  const menu = menuOf(screen.split('\n'), 220);
  fact('limit.menu', menu ? labelsOf(menu) : []);
  fact('limit.announcesContinuation', /continuing automatically/i.test(screen));
  const line = transcriptLines(readFileSync(String(failed.payload.transcript_path), 'utf8'), true).findLast(
    ({ isApiErrorMessage }) => isApiErrorMessage,
  );
  fact(
    'limit.transcriptFields',
    Object.keys(line ?? {}).filter(name => /error|limit|quota/i.test(name)),
  );
  fact('limit.digitClosesMenu', 'no menu');
  if (!menu) return;
  await seat.press('1');
  await seat.file(({ status }) => status === 'idle');
  fact('limit.digitClosesMenu', true);
};

const withoutTime = (text: string): string => text.replace(/\d{1,2}(?::\d\d)?[ap]m/, '<time>');

const withoutPort = (text: string): string => text.replace(/127\.0\.0\.1:\d+/, '<model>');

/** What StopFailure calls other failures of the API. */
export const otherFailures = async (probe: Probe): Promise<void> => {
  const { world, fact } = probe;
  const seat = await world.claude({ env: { CLAUDE_CODE_MAX_RETRIES: '0' } });
  await seat.ready();
  probe.fired();
  for (const status of [529, 401, 429]) {
    await seat.type(`FAIL ${status}`);
    const { payload } = await probe.next(({ name }) => name === 'StopFailure', 60_000);
    await seat.file(({ status: now }) => now === 'idle');
    fact(`apiError.error${status}`, String(payload.error));
    fact(`apiError.message${status}`, withoutPort(String(payload.last_assistant_message)));
    await probe.firedAfterPause();
    await seat.ready();
  }
  process.kill(await seat.pid(), 'SIGKILL');
};
