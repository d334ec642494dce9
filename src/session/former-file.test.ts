/** A CLI that is killed leaves its session file behind; the CLI that resumes the session removes it. */
import { expect, test } from 'vitest';
import { file, runScript, type ScriptEvent } from '../testing/fold-script.ts';

const of = (pid: number, item: ScriptEvent): ScriptEvent => ({
  ...item,
  pid,
  fields: { ...item.fields, pid, startedAt: pid === 100 ? 0 : 9_000 },
});
const gone = (at: number): ScriptEvent => ({
  at,
  source: 'file',
  name: 'FileGone',
  pid: 100,
  fields: { pid: 100 },
});
const processGone = (at: number): ScriptEvent => ({
  at,
  source: 'sweep',
  name: 'ProcessGone',
  fields: { pid: 100, left: false },
});
const killed: ScriptEvent[] = [of(100, file(10, 'idle')), processGone(5_000)];

test.each([
  ['before', [gone(9_000), of(200, file(9_020, 'idle'))]],
  ['after', [of(200, file(9_000, 'idle')), gone(9_020)]],
])(
  'the file of the killed process is removed %s the one of the next is read: the session has the next process',
  (_, resumed) => {
    // The sweep repeats it for whatever process the session has by then.
    const { shown, session } = runScript([...killed, ...resumed, processGone(9_100)], 30_000);
    expect(session).toMatchObject({
      pid: 200,
      state: 'ready',
      memory: { file: { status: 'idle' }, leaving: false },
    });
    expect(shown).toEqual(['ready', 'ended/killed', 'ready']);
  },
);
