/** Answers on the board reach exactly the request that was shown, or nothing. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { shortId } from '../../src/contract/short-id.ts';
import type { Queue } from '../../src/contract/queue.ts';
import { limits } from '../../src/limits.ts';
import { newest } from '../rig/cli.ts';
import { MAIN } from '../rig/drover.ts';
import { hubOf } from '../rig/hub.ts';
import { waitersOf } from '../rig/process.ts';
import { type Screen, type ScreenOptions, screenOf } from '../rig/screen.ts';
import { world } from '../rig/story.ts';
import type { World, WorldOptions } from '../rig/world.ts';

const PERMISSION = 'Do you want to proceed?';

/** A daemon over a world with hooks. */
const start = async (options: WorldOptions, config: object = {}) => {
  const story = await world(options);
  writeFileSync(join(story.droverHome, 'config.json'), JSON.stringify(config));
  await story.drover('setup');
  return { story, hub: await hubOf(story) };
};

const boardOf = (story: World, size?: ScreenOptions): Promise<Screen> =>
  screenOf(story, [process.execPath, MAIN], size);

/** Presses Enter as late as a person does who has read the panel. */
const confirm = async (board: Screen): Promise<void> => {
  await board.sees('Enter send');
  await pauseFor(limits.board.confirmDelay);
  await board.press('Enter');
};

// One version: what differs between them, the requests and their dialogs, is in the stories of requests/.
describe.each([newest])('Claude Code %s', version => {
  test('two requests at once are both shown in full, and an answer reaches only its own', async () => {
    const { story, hub } = await start({ version });
    const { body: session } = await hub.create({ approvals: 'held' });
    const { id } = session;
    await hub.send(id, 'TOGETHER FETCH https://127.0.0.1:9/a one ;; FETCH https://127.0.0.1:9/a two');
    const isHeld = ({ until }: { until: number | null }) => until !== null;
    const { requests } = await hub.is(id, page => page.requests.filter(isHeld).length === 2);
    const [shown, other] = requests;
    const promptOf = (request: (typeof requests)[number] | undefined) =>
      `prompt: ${String(request?.input?.prompt)}`;
    expect(new Set(requests.map(promptOf))).toEqual(new Set(['prompt: one', 'prompt: two']));

    const board = await boardOf(story, { rows: 30 });
    /** The rows above the picture of the pane, which shows its own dialog. */
    const asks = (screen: string) => screen.split('── pane')[0];
    const first = await board.sees(/Request 1 of 2[\s\S]*prompt: [\s\S]*1 more open request/);
    expect(asks(first)).toContain(promptOf(shown));
    expect(asks(first)).not.toContain(promptOf(other));
    await board.press(']');
    const second = await board.sees(/Request 2 of 2[\s\S]*prompt: /);
    expect(asks(second)).toContain(promptOf(other));
    expect(asks(second)).not.toContain(promptOf(shown));

    await board.press('a');
    const asked = await board.sees(/Allow WebFetch in project\?[\s\S]*Enter send/);
    expect(asked).toMatch(new RegExp(`Session +project \\(${shortId(id)}\\)\\n[\\s\\S]*Tool +WebFetch\\n`));
    expect(asked).toContain(promptOf(other));
    expect(asked).toContain(`1 more open request:\n  ${shown?.id}  `);
    await confirm(board);
    await board.sees(/Allowed WebFetch: .*127\.0\.0\.1:9/);
    const left = await hub.is(id, page => page.requests.length === 1);
    expect(left.requests).toMatchObject([{ id: shown?.id, until: expect.any(Number) as number }]);
    expect(await waitersOf(story.root)).toHaveLength(1);

    await board.press('x');
    await board.sees(/\(•\) \d\. Deny[\s\S]*Message to the model/);
    await board.paste('not\rthis one\r');
    await board.sees('not this one');
    expect((await hub.read(id)).requests).toHaveLength(1);
    await pauseFor(limits.board.confirmDelay);
    await board.press('Enter');
    await board.sees(/Denied WebFetch/);
    const { body } = await story.model.asked(request =>
      JSON.stringify(request.body.messages).includes('not this one'),
    );
    // Each tool call has the result that its answer implies.
    const blocks = body.messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content)) as {
      id?: string;
      tool_use_id?: string;
      input?: { prompt?: string };
      content?: unknown;
    }[];
    const resultOf = (request: (typeof requests)[number] | undefined) => {
      const use = blocks.find(({ input }) => input?.prompt === request?.input?.prompt);
      return JSON.stringify(
        blocks.find(({ tool_use_id: of }) => of !== undefined && of === use?.id)?.content,
      );
    };
    expect(resultOf(shown)).toContain('not this one');
    expect(resultOf(other)).not.toContain('not this one');
  });

  test('a paste, or keys that arrive all at once, answer nothing', async () => {
    const { story, hub } = await start({ version });
    const { body: session } = await hub.create({ approvals: 'held' });
    const { id } = session;
    await hub.send(id, 'RUN touch made');
    const { pending } = await hub.pending(id);
    const board = await boardOf(story);
    await board.sees(/touch made[\s\S]*a answer/);
    const isUntouched = async () => {
      expect((await hub.read(id)).pending?.id).toBe(pending?.id);
      expect(existsSync(join(story.dir(), 'made'))).toBe(false);
      expect(await waitersOf(story.root)).toHaveLength(1);
    };
    await board.paste('a\r');
    await board.sees('Ignored:');
    await isUntouched();
    // A single key press is accepted, and removes the notice.
    await board.press('j');
    await board.misses('Ignored:');
    await board.press('a', 'Enter');
    await board.sees('Ignored:');
    await board.press('j');
    await board.misses('Ignored:');

    await board.press('a');
    await board.sees('Allow Bash in project?');
    // The Enter of a split paste comes in the first 400 ms, or as a burst.
    await board.paste('\r');
    await board.sees('Ignored:');
    await isUntouched();
    await board.press('j');
    await confirm(board);
    await board.sees('Allowed Bash: touch made');
    await hub.is(id, ({ reason }) => reason === 'stopped');
    expect(existsSync(join(story.dir(), 'made'))).toBe(true);
  });

  test('z acts on the session that was shown, even if another one is now first', async () => {
    const { story, hub } = await start({ version, projects: ['shop', 'blog'] }, { order: 'reason' });
    const { body: stopped } = await hub.create({ cwd: story.dir('shop'), prompt: 'SAY all done' });
    await hub.is(stopped.id, ({ state }) => state === 'waiting');
    const board = await boardOf(story);
    await board.sees(/> 1 \[⏸\] (?:[0-9a-f]{8} )?done/);
    await board.press('z');
    await board.sees(`Snooze ${shortId(stopped.id)} in shop for: 10min`);
    const { body: asks } = await hub.create({ cwd: story.dir('blog'), prompt: 'RUN touch made' });
    await board.sees(/> 1 \[⏸\] (?:[0-9a-f]{8} )?needs approval/, 20_000);
    await board.press('Enter');
    await board.sees(/snoozed +for 10 min/);
    const snoozed = async () => {
      const { body } = await hub.ask<Queue>('GET', '/queue');
      return body.items.filter(({ session }) => session.deferral?.snoozed).map(({ session }) => session.id);
    };
    expect(await snoozed()).toEqual([stopped.id]);

    // A person takes this long to see which session is there now.
    await pauseFor(limits.board.rowSettle);
    await board.press('z');
    await board.sees(`Snooze ${shortId(asks.id)} in blog for: 10min`);
    await hub.sees(asks, PERMISSION);
    // A new dialog ignores keys for 0.75 s.
    await pauseFor(limits.menu.keyTimeout);
    await story.tmux(['send-keys', '-t', asks.pane?.id ?? '', 'Enter']);
    await board.sees(`${shortId(asks.id)} in blog is no longer waiting.`);
    await board.press('Enter');
    await hub.is(asks.id, ({ state, reason }) => state === 'waiting' && reason === 'stopped');
    expect(await snoozed()).toEqual([stopped.id]);
  });

  test('a long plan can be approved only after its end was shown, on small screens too', async () => {
    const { story, hub } = await start({ version });
    const { body: session } = await hub.create({ approvals: 'held', permission_mode: 'plan' });
    const { id } = session;
    const steps = Array.from({ length: 60 }, (_, n) => `Step ${n + 1} changes one file and its test.`);
    await hub.send(id, `PLAN ${steps.join(' ')} This is the end.`);
    const { pending } = await hub.pending(id);
    expect(pending?.kind).toBe('plan');
    const board = await boardOf(story);
    await board.sees('a answer');
    await board.press('a');
    const opened = await board.sees(
      /Approve the plan in project\? lines 1-\d+ of \d+[\s\S]*Scroll to the end/,
    );
    expect(opened).toMatch(/Session +project \([\s\S]*Tool +ExitPlanMode\n[\s\S]*Step 1 changes/);
    expect(opened).not.toContain('This is the end.');
    await pauseFor(limits.board.confirmDelay);
    await board.press('Enter');
    await board.sees('Scroll to the end first: J or PageDown.');

    await board.resize(40, 15);
    const narrow = await board.sees(/Approve the plan in project\?/);
    expect(narrow.split('\n').filter(line => line.length > 40)).toEqual([]);
    await board.resize(80, 24);
    const rule = /lines \d+-(\d+) of (\d+) ─{20}/;
    await board.sees(rule);
    for (;;) {
      const [, last, count] = rule.exec(await board.sees(rule)) ?? [];
      if (last === count) break;
      await board.press('PageDown');
      await board.misses(new RegExp(`lines \\d+-${last} `));
    }
    await board.sees('This is the end.');
    await confirm(board);
    await board.sees('Approved the plan');
    await hub.is(id, ({ permissionMode, requests }) => permissionMode !== 'plan' && requests.length === 0);
  });

  test('the panel says so when the terminal answers first, and a key closes it', async () => {
    const { story, hub } = await start({ version });
    const seat = await story.claude();
    await seat.ready();
    const { sessionId: id } = await seat.file(file => file.status === 'idle');
    await hub.is(id, ({ state }) => state === 'ready');
    await story.drover('hold', id);
    await seat.type('RUN touch made');
    await hub.pending(id);
    await seat.asks(PERMISSION);
    const board = await boardOf(story);
    await board.sees('a answer');
    await board.press('a');
    await board.sees(/Allow Bash in project\?[\s\S]*Enter send/);
    await seat.press('Enter');
    await board.sees(/Already (?:allowed|answered) in the terminal \d+\.\d s ago: Bash: touch made/);
    expect(await board.text()).toContain('Press any key to close');
    await board.press('Enter');
    await board.misses('Press any key to close');
    await seat.sees(/touch made[\s\S]*● done/);
    expect(await board.text()).toContain('in the terminal');
    expect(existsSync(join(story.dir(), 'made'))).toBe(true);
  });
});
