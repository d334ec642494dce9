/** Runs the picker in a terminal. Paints the list at once and reads transcripts in the background. */
import { liveSessions } from '../../claude/live-session.ts';
import { stateText } from '../../client/board/labels.ts';
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import { briefSummary } from '../../resume/transcript-summary.ts';
import { newestFirst, statTranscript, type Transcript } from '../../resume/transcripts.ts';
import { type Item, onScreen, paint, type Picker, press, rowsOf } from './picker.ts';
import type { Call } from '../verb.ts';

/** Lets a person choose a session; null if they leave. */
export const pick = async (call: Call, transcripts: Transcript[]): Promise<string | null> => {
  const live = new Map(
    liveSessions([...new Set(transcripts.map(({ claudeDir }) => claudeDir))]).map(file => [
      file.sessionId,
      file.status ?? 'live',
    ]),
  );
  const items = transcripts
    .flatMap(statTranscript)
    .sort(newestFirst)
    .map((past): Item => ({ ...past, summary: null, state: live.get(past.id) ?? '' }));
  if (items.length === 0)
    throw new DroverError('no_session', 'There is no session to resume.', 'Start one with `claude`.');
  return picked(call, { items, filter: '', cursor: 0 });
};

const picked = (call: Call, first: Picker): Promise<string | null> =>
  new Promise(resolve => {
    let picker = first;
    let over = false;
    const { stdin, stdout } = process;
    const height = () => stdout.rows || 24;
    const draw = () => {
      if (over) return;
      for (const item of onScreen(picker, height())) item.summary ??= briefSummary(item);
      const lines = paint(picker, stdout.columns || 80, height(), Date.now());
      stdout.write(`\x1b[H${lines.map(text => `${text}\x1b[K`).join('\r\n')}\x1b[J`);
    };
    const leave = (id: string | null) => {
      over = true;
      stdin.off('data', onData);
      stdout.off('resize', draw);
      stdin.setRawMode(false);
      stdin.pause();
      stdout.write('\x1b[?7h\x1b[?25h\x1b[?1049l');
      resolve(id);
    };
    const onData = (bytes: Buffer) => {
      for (const key of keysOf(bytes.toString('utf8'))) {
        const after = press(picker, key, rowsOf(height()));
        if ('picked' in after) return leave(after.picked);
        if ('left' in after) return leave(null);
        picker = after.picker;
      }
      draw();
    };
    stdout.write('\x1b[?1049h\x1b[?25l\x1b[?7l');
    stdin.setRawMode(true);
    draw();
    stdin.on('data', onData).resume();
    stdout.on('resize', draw);
    readSummaries(
      picker.items,
      () => over,
      () => picker.filter !== '' && draw(),
    );
    void states(call, picker.items).then(draw);
  });

/** Splits input into keys. */
const keysOf = (text: string): string[] =>
  text.match(/\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z])?|[\x00-\x1f\x7f]|[^\x00-\x1f\x7f]+/gu) ?? [];

/** Reads every transcript, newest first, in chunks short enough to keep the keys responsive. */
const readSummaries = (items: Item[], over: () => boolean, more: () => void): void => {
  let at = 0;
  let chunks = 0;
  const readChunk = () => {
    if (over()) return;
    const until = performance.now() + 8;
    for (; at < items.length && performance.now() < until; at++) {
      const item = items[at] as Item;
      item.summary ??= briefSummary(item);
    }
    // New summaries may match the filter: repaint at intervals, and at the end.
    if (at === items.length || ++chunks % 25 === 0) more();
    if (at < items.length) setTimeout(readChunk, 2);
  };
  setTimeout(readChunk, 20);
};

/** Adds the states of running sessions, if the daemon is running. */
const states = async (call: Call, items: Item[]): Promise<void> => {
  const { sessions } = await ask(call.paths, 'listSessions', { query: { live: 1 } }).catch(() => ({
    sessions: [],
  }));
  const byId = new Map(sessions.map(session => [session.id, session]));
  for (const item of items) {
    const session = byId.get(item.id);
    if (session) item.state = stateText(session, Date.now());
  }
};
