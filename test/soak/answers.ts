/**
 * `npm run answers [count] [version …]`: answers `count` permission requests of the real CLI in their terminals, while dialogs change, panes
 * resize and scroll, and a second person moves the selection and answers too. Then it counts: every answer had the effect that was
 * reported, and no dialog was answered that nobody answered.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answered } from '../../src/contract/answer.ts';
import { median, percentile } from '../../bench/figures.ts';
import { type Version, measured } from '../rig/cli.ts';
import { type Hub, hubOf } from '../rig/hub.ts';
import type { Seat } from '../rig/tmux.ts';
import { until } from '../rig/within.ts';
import { openWorld, type World } from '../rig/world.ts';

interface Tally {
  answered: number;
  refused: Map<string, number>;
  /** Answered by the second person first. */
  other: number;
  wrong: string[];
  /** From the call to the dialog gone, ms, without disturbance. */
  quiet: number[];
  disturbed: number[];
  waited: number[];
}

const [count = '500', ...wanted] = process.argv.slice(2);
const seats = 3;
/** It stops after this, s, and reports what it has. */
const most = Number(process.env.DROVER_SOAK_SECONDS ?? 1_200);

for (const version of measured.filter(one => wanted.length === 0 || wanted.includes(one))) {
  const tally: Tally = {
    answered: 0,
    refused: new Map(),
    other: 0,
    wrong: [],
    quiet: [],
    disturbed: [],
    waited: [],
  };
  const began = performance.now();
  await soak(version, Number(count), tally).catch(error =>
    console.log(`  stopped: ${String(error).slice(0, 2_000)}`),
  );
  const times = (ms: number[]) =>
    `${ms.length} answers, p50 ${median(ms).toFixed(0)} ms, p95 ${percentile(ms, 95).toFixed(0)} ms`;
  console.log(
    `Claude Code ${version}: ${tally.answered} answers in ${((performance.now() - began) / 1_000).toFixed(0)} s`,
  );
  console.log(`  wrong options: ${tally.wrong.length}${tally.wrong.map(text => `\n    ${text}`).join('')}`);
  console.log(`  call -> dialog gone, undisturbed: ${times(tally.quiet)}`);
  console.log(`  call -> dialog gone, disturbed: ${times(tally.disturbed)}`);
  console.log(`  before that, until the dialog accepted keys: ${times(tally.waited.filter(ms => ms > 0))}`);
  console.log(`  the second person was first: ${tally.other}`);
  for (const [reason, times] of tally.refused) console.log(`  refused ${times} times: ${reason}`);
  if (tally.wrong.length > 0 || tally.answered < Number(count)) process.exitCode = 1;
}

async function soak(version: Version, total: number, tally: Tally): Promise<void> {
  const world = await openWorld({ version });
  try {
    await world.drover('setup');
    const hub = await hubOf(world);
    const each = Math.ceil(total / seats);
    const ends = await Promise.allSettled(
      Array.from({ length: seats }, (_, n) => session(world, hub, `s${n}`, each, tally)),
    );
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  } finally {
    await world.close();
  }
}

/** One session that asks for one permission after another. */
async function session(world: World, hub: Hub, name: string, times: number, tally: Tally): Promise<void> {
  const seat = await world.claude();
  await seat.ready(60_000);
  const { sessionId: id } = await seat.file(file => file.status === 'idle', 60_000);
  const state = { over: false, disturbing: false };
  const person = disturb(world, seat, state);
  await seat.type(`TIMES ${times * 2} touch ${name}`);
  /** The commands that were answered here, and whether they were denied. */
  const answered = new Map<number, boolean>();
  let n = 1;
  try {
    const end = performance.now() + most * 1_000;
    for (let done = 0; done < times && performance.now() < end; n++) {
      const command = `touch ${name}-${n}`;
      const request = await requestFor(hub, id, command);
      state.disturbing = n % 2 === 0;
      const isDenied = n % 5 === 0;
      const rival = state.disturbing && n % 7 === 0 ? answerByHand(world, seat, n) : null;
      const said = await answer(hub, seat, id, request, command, isDenied, state.disturbing, tally);
      await rival;
      state.disturbing = false;
      if (said === 'answered') answered.set(n, isDenied);
      else tally.other++;
      if (said === 'answered') done++;
      if (said === 'answered' && isDenied) await goOn(world, seat);
    }
  } finally {
    state.over = true;
    await person;
    // What the second person answered was allowed. Every dialog but the last has had its effect by now.
    for (let k = 1; k < n - 1; k++) {
      const isMade = existsSync(join(world.dir(), `${name}-${k}`));
      const isDenied = answered.get(k) ?? false;
      if (isMade === isDenied) tally.wrong.push(`${name}-${k} was ${isMade ? 'allowed' : 'denied'}`);
    }
  }
}

/** A denial ends the turn: the next prompt continues from there. */
async function goOn(world: World, seat: Seat): Promise<void> {
  await seat.file(file => file.status === 'idle', 30_000);
  await world.tmux(['send-keys', '-t', seat.pane, '-X', 'cancel']).catch(() => {});
  await seat.press('C-u');
  await pause(300);
  await seat.press('C-u');
  await seat.type('go on');
}

async function requestFor(hub: Hub, id: string, command: string): Promise<number> {
  const page = await hub.is(
    id,
    ({ requests }) => requests.some(({ line }) => line === `Bash: ${command}`),
    60_000,
  );
  return page.requests.find(({ line }) => line === `Bash: ${command}`)?.id ?? -1;
}

/** Answers until it is accepted, or somebody else was first. */
async function answer(
  hub: Hub,
  seat: Seat,
  id: string,
  request: number,
  command: string,
  isDenied: boolean,
  isDisturbed: boolean,
  tally: Tally,
): Promise<'answered' | 'other'> {
  const dialog = new RegExp(`${command}\\s[\\s\\S]*Do you want to proceed\\?`);
  if (!isDisturbed) {
    await seat.sees(dialog, 30_000);
    // From here on it accepts keys.
    await pause(400);
  }
  const body = { id: request, choice: isDenied ? 'deny' : 'allow' };
  for (;;) {
    const began = performance.now();
    const call = hub.ask<Answered>('POST', `/sessions/${id}/answer`, body);
    const gone = until(
      20_000,
      () => 'the dialog stays',
      async () => {
        const isGone = !dialog.test(await seat.screen());
        return isGone ? performance.now() - began : undefined;
      },
    ).catch(() => null);
    const said = await call;
    if (said.status === 200) {
      const ms = await gone;
      // Counted from a dialog that accepts keys.
      const { waited = 0 } = said.body;
      if (ms !== null) (isDisturbed ? tally.disturbed : tally.quiet).push(ms - waited);
      tally.waited.push(waited);
      tally.answered++;
      return 'answered';
    }
    const { code = '', message = '' } = said.body.error ?? {};
    if (code === 'request_gone') return 'other';
    const reason = message.split(/ It shows:|:/)[0] ?? '';
    tally.refused.set(reason, (tally.refused.get(reason) ?? 0) + 1);
    await pause(300);
  }
}

/** The second person answers with their own key, at their own moment. */
async function answerByHand(world: World, seat: Seat, n: number): Promise<void> {
  await pause((n * 37) % 250);
  await world.tmux(['send-keys', '-t', seat.pane, '1']).catch(() => {});
}

/** Moves the selection, resizes and scrolls, as long as the session runs. */
async function disturb(
  world: World,
  seat: Seat,
  state: { over: boolean; disturbing: boolean },
): Promise<void> {
  const acts: string[][][] = [
    [['send-keys', '-t', seat.pane, 'Down']],
    [['resize-window', '-t', seat.pane, '-x', '90', '-y', '40']],
    [['send-keys', '-t', seat.pane, 'Up']],
    [
      ['copy-mode', '-t', seat.pane],
      ['send-keys', '-t', seat.pane, '-X', 'halfpage-up'],
    ],
    [['send-keys', '-t', seat.pane, '-X', 'cancel']],
    [['resize-window', '-t', seat.pane, '-x', '200', '-y', '50']],
  ];
  for (let n = 0; !state.over; n++) {
    await pause(120 + ((n * 61) % 400));
    if (!state.disturbing) continue;
    for (const args of acts[(n * 5) % acts.length] ?? []) await world.tmux(args).catch(() => {});
  }
  await world.tmux(['send-keys', '-t', seat.pane, '-X', 'cancel']).catch(() => {});
}
