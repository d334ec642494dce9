/** Tokens and cost: what the model answered, request by request, against `drover usage`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Usage } from '../../src/contract/usage.ts';
import { edges } from '../rig/cli.ts';
import { awaitEnded } from '../rig/past.ts';
import { world } from '../rig/story.ts';
import { until } from '../rig/within.ts';
import type { World } from '../rig/world.ts';

/** Requests that Claude Code makes and that are in no transcript, by what they ask for. */
const excluded = {
  title: /Generate a concise, sentence-case title/,
  compaction: /CRITICAL: Respond with TEXT ONLY/,
};

interface StatusLine {
  session_id: string;
  cost: { total_cost_usd: number };
}

type Excluded = keyof typeof excluded;

const kindOf = ({ body }: World['model']['requests'][number]): Excluded | null => {
  if (excluded.title.test(JSON.stringify(body.system ?? ''))) return 'title';
  // The instruction is sent in addition to the last prompt.
  return excluded.compaction.test(JSON.stringify(body.messages.slice(-2))) ? 'compaction' : null;
};

/** Messages, input and output of these requests. */
const sumOf = (requests: World['model']['requests']) => {
  const sent = requests.flatMap(({ sent }) => sent ?? []);
  return {
    messages: sent.length,
    input: sent.reduce((sum, { input }) => sum + input, 0),
    output: sent.reduce((sum, { output }) => sum + output, 0),
  };
};

const usageOf = async ({ drover }: World, ...args: string[]): Promise<Usage> => {
  const { stdout, stderr, code } = await drover('usage', '--json', '--since', 'all', ...args);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as Usage;
};

describe.each(edges)('Claude Code %s', version => {
  test('every request that the transcripts record is counted to the token, and the rest is on the bill', {
    timeout: 120_000,
  }, async () => {
    const own = { type: 'command', command: 'cat > "$HOME/own.json"; echo "a line of my own"', padding: 0 };
    const here = await world({ version, settings: { statusLine: own } });
    const settings = join(here.home, '.claude', 'settings.json');
    const settingsBefore = await readFile(settings, 'utf8');
    expect((await here.drover('setup', '--statusline')).stdout).toContain('Registered the status line');
    const { claude, daemon, droverHome, headless, model } = here;
    const notices = join(here.root, 'notices');
    const config = {
      budget: { session: 0.001, week: 1_000 },
      notify: { after: 9_000, command: ['sh', '-c', `cat >> ${notices}`] },
    };
    await writeFile(join(droverHome, 'config.json'), JSON.stringify(config));
    await daemon();

    const seat = await claude({ prompt: 'NOTE hello THEN RUN echo one' });
    const { sessionId } = await seat.file(({ status }) => status === 'idle');
    await seat.type('AGENT RUN echo sub');
    await model.asked(({ prompt }) => prompt === 'RUN echo sub');
    await seat.file(({ status }) => status === 'idle');
    await seat.type('FLAKY 529 busy');
    await seat.sees('done at last', 30_000);
    // A message counts within a second, while the session runs.
    const recorded = () => model.requests.filter(request => request.sent && kindOf(request) === null);
    const equal = (ms: number) =>
      until(
        ms,
        () => `usage is not ${JSON.stringify(sumOf(recorded()))}`,
        async () => {
          const { messages, input, output } = (await usageOf(here)).total;
          return (
            JSON.stringify({ messages, input, output }) === JSON.stringify(sumOf(recorded())) || undefined
          );
        },
      );
    await equal(5_000);
    await seat.type('/compact');
    await model.asked(request => kindOf(request) === 'compaction');
    await seat.sees(/Compacted/, 30_000);
    await seat.type('SAY afterwards');
    await model.asked(({ prompt, outcome }) => prompt === 'SAY afterwards' && outcome === 'answered');
    await seat.file(({ status }) => status === 'idle');
    await seat.sees('a line of my own');
    // The user's own status line gets the same JSON, whose cost includes every request.
    const price = version !== '2.1.197' ? { input: 4, output: 20 } : { input: 5, output: 25 };
    const costOf = ({ input, output }: ReturnType<typeof sumOf>) =>
      (input * price.input + output * price.output) / 1e6;
    await until(
      10_000,
      () => 'the status line does not have the whole cost',
      async () => {
        const text = await readFile(join(here.home, 'own.json'), 'utf8');
        const shown = text === '' ? undefined : (JSON.parse(text) as StatusLine);
        expect(shown?.session_id ?? sessionId).toBe(sessionId);
        return (
          Math.abs((shown?.cost.total_cost_usd ?? 0) - costOf(sumOf(model.requests))) < 1e-9 || undefined
        );
      },
    );
    // The status line of 2.1.197 continues counting, that of 2.1.325 starts again.
    await seat.type('/clear');
    const cleared = await seat.file(file => file.sessionId !== sessionId);
    await seat.type('SAY cleared');
    await model.asked(({ prompt, outcome }) => prompt === 'SAY cleared' && outcome === 'answered');
    await seat.file(({ status }) => status === 'idle');
    // 2.1.325 writes its bill by model when it exits; of 2.1.197 only the status line knows the cost.
    const restIsOnTheBill = (unknown: number) => {
      const missing = sumOf(model.requests.filter(request => kindOf(request) !== null));
      const tokens =
        version !== '2.1.197'
          ? { input: missing.input, output: missing.output }
          : { input: null, output: null };
      let last = '';
      return until(
        8_000,
        () => `the rest of the bill is not ${JSON.stringify({ ...tokens, cost: costOf(missing) })}: ${last}`,
        async () => {
          const { unrecorded } = await usageOf(here);
          last = JSON.stringify(unrecorded);
          const { sessions, unknownSessions, input, output, cost } = unrecorded;
          const isEqual =
            input === tokens.input && output === tokens.output && Math.abs(cost - costOf(missing)) < 1e-9;
          return (isEqual && sessions === 2 && unknownSessions === unknown) || undefined;
        },
      );
    };
    const exit = async (one: typeof seat, id: string) => {
      // An exit right after a turn may leave the status line without its cost.
      if (version === '2.1.197') await restIsOnTheBill(0);
      await one.type('/exit');
      await awaitEnded(here, id);
      await equal(5_000);
      await restIsOnTheBill(0);
    };
    await exit(seat, cleared.sessionId);

    // After a resume, 2.1.197 starts at zero, and 2.1.325 continues with the cost of the session.
    const resumed = await claude({ prompt: 'SAY resumed', args: ['--resume', sessionId] });
    await model.asked(({ prompt, outcome }) => prompt === 'SAY resumed' && outcome === 'answered');
    await resumed.file(({ status }) => status === 'idle');
    const before = model.requests.length;
    await resumed.type('/compact');
    await resumed.sees(/Compacted/, 30_000);
    expect(model.requests.slice(before).map(kindOf)).toContain('compaction');
    await exit(resumed, sessionId);

    const forked = await headless({ prompt: 'SAY forked', args: ['--resume', sessionId, '--fork-session'] });
    expect(forked.code).toBe(0);
    await equal(40_000);
    // On 2.1.325 the bill of a fork begins with that of its original.
    await restIsOnTheBill(1);

    // The fork has the lines of its original too, and may be read before it.
    const fork = sumOf(recorded().filter(({ prompt }) => prompt === 'SAY forked'));
    await until(
      20_000,
      () => `the fork has not its own request alone, ${JSON.stringify(fork)}`,
      async () => {
        const { rows } = await usageOf(here, '--by', 'session');
        const others = rows.filter(({ name }) => name !== sessionId && name !== cleared.sessionId);
        const { messages, input, output } = others[0] ?? {};
        const isAlone = JSON.stringify({ messages, input, output }) === JSON.stringify(fork);
        return (isAlone && rows.length === 3) || undefined;
      },
    );
    // Only these requests were left out.
    const kinds = model.requests.flatMap(request => (request.sent ? (kindOf(request) ?? []) : []));
    expect(new Set(kinds)).toEqual(new Set(version === '2.1.197' ? ['title', 'compaction'] : ['compaction']));

    // One notification for each session, none for the week.
    const titles = await until(
      10_000,
      () => 'no notification of the budget',
      async () => {
        const notified = (await readFile(notices, 'utf8').catch(() => '')).trim().split('\n').filter(Boolean);
        return notified.length < 3
          ? undefined
          : notified.map(text => (JSON.parse(text) as { title: string }).title);
      },
    );
    expect(titles.map(title => title.slice(0, 14))).toEqual(Array.from(titles, () => 'Budget reached'));
    expect(titles).toHaveLength(3);

    await here.drover('setup', '--statusline', '--remove');
    expect(await readFile(settings, 'utf8')).toBe(settingsBefore);
    await here.drover('forget', sessionId);
    expect((await usageOf(here, '--by', 'session')).rows.map(({ name }) => name)).not.toContain(sessionId);
  });
});
