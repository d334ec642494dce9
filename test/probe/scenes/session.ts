/** One interactive session from its start to `/exit`: hooks, session file, transcript, status line, keys. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slugOf } from '../../../src/claude/slug.ts';
import type { Seat } from '../../rig/tmux.ts';
import { until } from '../../rig/within.ts';
import { fieldsOf, sorted } from '../facts.ts';
import { labelsOf, menuGone, menuIn, type Probe } from '../probe.ts';
import { deafness, quiet } from './keys.ts';

export const session = async (probe: Probe): Promise<void> => {
  const { world, fact } = probe;
  probe.fired();
  const seat = await world.claude();
  await seat.ready();
  const start = await probe.next(({ name }) => name === 'SessionStart');
  const file = await seat.file(({ status }) => status === 'idle');
  const pid = await seat.pid();
  fact('start.fires', sorted(await probe.firedAfterPause()));
  fact('start.source', String(start.payload.source));
  fact('file.fields', fieldsOf(file));
  fact('file.start', file.status);
  fact('process.name', (await world.run('ps', ['-o', 'comm=', '-p', String(pid)])).stdout.trim());
  fact('hooks.claudePidSet', start.claudePid === pid);
  fact('hooks.paneSet', start.tmuxPane === seat.pane);
  fact('hooks.parentIsCli', start.ppid === pid);
  fact('hooks.payloadIsOneLine', /^[^\n]*\n$/.test(start.raw));

  await turn(probe, seat);
  await interrupt(probe, seat);
  await permission(probe, seat);
  await question(probe, seat);
  await others(probe, seat);
  await compact(probe, seat);
  transcript(probe, file.sessionId);
  await clear(probe, seat, pid, file.sessionId);
  await exit(probe, seat, pid);
  hookFields(probe);
};

async function turn(probe: Probe, seat: Seat): Promise<void> {
  const { fact } = probe;
  await seat.type('SAY hello');
  const stop = await probe.next(({ name }) => name === 'Stop');
  await seat.file(({ status }) => status === 'idle');
  fact('turn.fires', sorted(await probe.firedAfterPause()));
  fact('turn.stopCarriesMessage', stop.payload.last_assistant_message === 'hello');
  const status = await until(
    5_000,
    () => 'no status line',
    () => probe.statusLine(),
  );
  // The fields of the use are there once there was an answer.
  fact('statusLine.fields', fieldsOf(status));
  fact('statusLine.model', String(Object(Object(status).model).id));
  fact('statusLine.window', Number(Object(Object(status).context_window).context_window_size));
}

async function interrupt(probe: Probe, seat: Seat): Promise<void> {
  const { fact } = probe;
  await seat.type('STREAM 100');
  await seat.sees('line 3');
  await seat.press('Escape');
  await seat.file(({ status }) => status === 'idle');
  fact(
    'interrupt.fires',
    sorted(await probe.firedAfterPause()).filter(name => name !== 'UserPromptSubmit'),
  );
}

async function permission(probe: Probe, seat: Seat): Promise<void> {
  const { hooks, fact } = probe;
  await seat.type('RUN touch made');
  const menu = await menuIn(seat);
  const waiting = await seat.file(({ status }) => status === 'waiting');
  fact('dialogs.permission', labelsOf(menu));
  fact('file.permission', [waiting.status, waiting.waitingFor ?? '']);
  fact('permission.fires', sorted(await probe.firedAfterPause()));
  fact(
    'permission.fields',
    fieldsOf(hooks.events().findLast(({ name }) => name === 'PermissionRequest')?.payload),
  );
  await quiet();
  await seat.press('Escape');
  await seat.file(({ status }) => status === 'idle');
  fact('permission.deniedByEscFires', sorted(await probe.firedAfterPause()));

  await deafness(probe, seat);

  await seat.type('RUN touch made');
  await menuIn(seat);
  await quiet();
  await seat.press('1');
  fact('keys.digitSubmitsPermission', await closes(seat));
  await seat.file(({ status }) => status === 'idle');
  fact('permission.allowedFires', sorted(await probe.firedAfterPause()));
}

async function question(probe: Probe, seat: Seat): Promise<void> {
  const { hooks, fact } = probe;
  await seat.type('ASK');
  const menu = await menuIn(seat);
  const waiting = await seat.file(({ status }) => status === 'waiting');
  fact('dialogs.question', labelsOf(menu));
  fact('file.question', [waiting.status, waiting.waitingFor ?? '']);
  fact('question.fires', sorted(await probe.firedAfterPause()));
  await quiet();
  await seat.press('2');
  fact('keys.digitSubmitsQuestion', await closes(seat));
  await hooks.saw(({ name, payload }) => name === 'PostToolUse' && payload.tool_name === 'AskUserQuestion');
  await seat.file(({ status }) => status === 'idle');
  probe.fired();
  await seat.type('TICK');
  fact('dialogs.severalAnswers', labelsOf(await menuIn(seat)));
  await seat.file(({ status }) => status === 'waiting');
  await quiet();
  await seat.press('Escape');
  await seat.file(({ status }) => status === 'idle');
  fact(
    'question.deniedByEscFires',
    sorted(await probe.firedAfterPause()).filter(
      name => !['UserPromptSubmit', 'PreToolUse', 'PermissionRequest'].includes(name),
    ),
  );
}

async function others(probe: Probe, seat: Seat): Promise<void> {
  const { fact } = probe;
  const fires = async (prompt: string): Promise<string[]> => {
    await seat.type(prompt);
    await seat.file(({ status }) => status === 'idle');
    return sorted(await probe.firedAfterPause());
  };
  fact('apiError.fires', await fires('FAIL'));
  fact('toolFailure.fires', await fires(`READ ${probe.world.dir()}/missing`));
  fact('subagent.fires', await fires('AGENT SAY inside'));
}

/** Field names of every event that has fired so far; the input and the result of a tool count as one field. */
const hookFields = ({ hooks, fact }: Probe): void => {
  const fields: { [event: string]: Set<string> } = {};
  for (const { name, payload } of hooks.events())
    for (const field of fieldsOf(payload))
      (fields[name] ??= new Set()).add(field.replace(/^(tool_input|tool_response)\..*/, '$1'));
  for (const [name, found] of Object.entries(fields)) fact(`hooks.fields.${name}`, sorted(found));
};

async function compact(probe: Probe, seat: Seat): Promise<void> {
  await seat.type('/compact');
  await probe.next(({ name }) => name === 'PostCompact', 20_000);
  await seat.ready();
  probe.fact('compact.fires', sorted(await probe.firedAfterPause()));
}

async function clear(probe: Probe, seat: Seat, pid: number, id: string): Promise<void> {
  const { hooks, fact } = probe;
  await seat.type('/clear');
  const start = await hooks.saw(({ name, payload }) => name === 'SessionStart' && payload.source === 'clear');
  const end = await hooks.saw(({ name, payload }) => name === 'SessionEnd' && payload.reason === 'clear');
  fact('clear.fires', sorted(await probe.firedAfterPause()));
  fact('clear.newId', start.sessionId !== id && end.sessionId === id);
  fact('clear.sameProcess', (await seat.pid()) === pid);
}

async function exit(probe: Probe, seat: Seat, pid: number): Promise<void> {
  const { world, fact } = probe;
  await seat.ready();
  await seat.type('/exit');
  const end = await probe.next(
    ({ name, payload }) => name === 'SessionEnd' && payload.reason !== 'clear',
    20_000,
  );
  fact('exit.reason', String(end.payload.reason));
  await until(
    10_000,
    () => `the session file of ${pid} stays`,
    () => (hasFile(world.home, pid) ? undefined : true),
  );
  fact('exit.removesFile', true);
}

/** Whether the dialog closes by itself. */
const closes = (seat: Seat): Promise<boolean> =>
  menuGone(seat).then(
    () => true,
    () => false,
  );

export const hasFile = (home: string, pid: number): boolean =>
  existsSync(join(home, '.claude', 'sessions', `${pid}.json`));

interface Line {
  type?: string;
  message?: { content?: unknown };
}

function transcript(probe: Probe, id: string): void {
  const { fact } = probe;
  const lines = linesOf(probe, id);
  const first = (type: string) => lines.find(line => line.type === type);
  fact('transcript.foundBySlug', lines.length > 0);
  fact('transcript.types', sorted(lines.map(({ type }) => String(type))));
  fact('transcript.userFields', Object.keys(first('user') ?? {}).sort());
  fact('transcript.assistantFields', Object.keys(first('assistant') ?? {}).sort());
  fact('transcript.usageFields', fieldsOf(Object(first('assistant')?.message).usage));
  const interrupts = JSON.stringify(lines).match(/\[Request interrupted by user[^\]]*\]/g) ?? [];
  fact('transcript.interrupts', sorted(interrupts));
}

const linesOf = ({ world }: Probe, id: string): Line[] => {
  const path = join(world.home, '.claude', 'projects', slugOf(world.dir()), `${id}.jsonl`);
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Line);
};
