/** Transcripts, looked at only where there is a question: how a turn ended that no Stop told, and the context in use. */
import { join } from 'node:path';
import { slugOf } from '../claude/slug.ts';
import {
  contextTail,
  type TranscriptLine,
  transcriptLines,
  type TurnTail,
  turnTail,
} from '../claude/transcript.ts';
import { useOf } from '../claude/window.ts';
import { readTail } from '../claude/transcript-file.ts';
import type { Draft, Event } from '../contract/event.ts';
import { limits } from '../limits.ts';
import type { Folded } from '../session/memory.ts';
import { isElsewhere } from '../contract/origin.ts';
import { timing } from '../session/timing.ts';

export class Transcripts {
  private readonly usage = new Map<string, string>();
  private readonly measuring = new Map<string, NodeJS.Timeout>();

  constructor(
    private readonly dirs: () => string[],
    private readonly get: (id: string) => Folded | undefined,
    private readonly take: (drafts: Draft[]) => void,
  ) {}

  /** Called for each event after its commit, with the session as it is now. */
  hear(event: Event, session: Folded): void {
    if (session.state === 'ended') this.usage.delete(session.id);
    if (session.state === 'ended' || isElsewhere(session)) return;
    const turnOver =
      event.source === 'hook' &&
      (event.name === 'Stop' || event.name === 'PostCompact' || event.name === 'SessionStart');
    const idle = event.source === 'file' && session.memory.file?.status === 'idle';
    if (!turnOver && !idle) return;
    this.measureLater(session.id);
    const lines = this.tail(session);
    if (!lines) return;
    const end = idle ? endOf(session, lines) : null;
    // Where hooks are live their Stop is on its way and says more than an answer does.
    const early = end && end.kind !== 'Unanswered' && (end.kind !== 'Answered' || isMute(session));
    const drafts = [...(early ? [endDraft(session, end)] : []), ...this.usageOf(session, lines)];
    if (drafts.length) this.take(drafts);
    if (idle && !early && isMute(session)) this.later(session, limits.transcript.endReads.early, false);
  }

  /** How the turns ended of these sessions that are idle by their files, where nothing else has told. */
  read(sessions: Folded[]): void {
    for (const session of sessions) this.ask(session, limits.transcript.endReads.late, true);
  }

  /** Asks now, and again after these pauses while there is no answer: the last lines may still be on their way. */
  private ask(session: Folded, again: readonly number[], guess: boolean): void {
    if (idleSince(session) === null || !isOpen(session)) return;
    const lines = this.tail(session);
    const end = lines && endOf(session, lines);
    const answer = end && end.kind !== 'Unanswered';
    if (end && (answer || (guess && isOfTurn(session)))) this.take([endDraft(session, end)]);
    if (!answer) this.later(session, again, guess);
  }

  private later(session: Folded, [wait, ...rest]: readonly number[], guess: boolean): void {
    const idleAt = idleSince(session);
    if (wait === undefined || idleAt === null) return;
    setTimeout(() => {
      const now = this.get(session.id);
      if (now && idleSince(now) === idleAt) this.ask(now, rest, guess);
    }, wait).unref();
  }

  /** The line that tells what a turn has used is written a moment after its end. */
  private measureLater(id: string): void {
    clearTimeout(this.measuring.get(id));
    const timer = setTimeout(() => {
      this.measuring.delete(id);
      const session = this.get(id);
      const lines = session && session.state !== 'ended' ? this.tail(session) : null;
      const drafts = session && lines ? this.usageOf(session, lines) : [];
      if (drafts.length) this.take(drafts);
    }, limits.transcript.usageRead);
    timer.unref();
    this.measuring.set(id, timer);
  }

  private usageOf(session: Folded, lines: TranscriptLine[]): Draft[] {
    const tail = contextTail(lines);
    const said = JSON.stringify(tail);
    if (this.usage.get(session.id) === said || (!tail && session.context === null)) return [];
    this.usage.set(session.id, said);
    if (!tail) return [draft(session, 'Usage', Date.now(), {})];
    return [draft(session, 'Usage', Date.now(), useOf(session.model, tail))];
  }

  private tail(session: Folded): TranscriptLine[] | null {
    for (const path of this.places(session)) {
      const piece = readTail(path);
      if (piece) return transcriptLines(piece.text, piece.fromStart);
    }
    return null;
  }

  private places(session: Folded): string[] {
    if (isElsewhere(session)) return [];
    if (session.transcript) return [session.transcript];
    const started = session.dir ?? session.cwd;
    if (!started) return [];
    return this.dirs().map(dir => join(dir, 'projects', slugOf(started), `${session.id}.jsonl`));
  }
}

/** Since when its file says that it is idle; null when it does not. */
const idleSince = ({ state, memory: { file } }: Folded): number | null =>
  state !== 'ended' && file?.status === 'idle' ? file.evidence.at : null;

/** The file says so of the turn that runs: it has followed the prompt, or had the time to. */
const isOfTurn = (session: Folded): boolean => {
  const { prompted } = session.memory;
  return (idleSince(session) ?? 0) >= prompted || Date.now() >= prompted + timing.promptRefused;
};

const isMute = ({ memory, hooks }: Folded): boolean => memory.hooked === 0 || hooks === 'silent';

/** There is a question: no end of the last turn is known, or no hook would tell of another one. */
const isOpen = (session: Folded): boolean => {
  const { end, prompted, hooked } = session.memory;
  if (end && end.evidence.at >= prompted) return isMute(session);
  return prompted > 0 || hooked === 0;
};

/** How the last turn of this run ended; null where there is no question, or no answer. */
const endOf = (session: Folded, lines: TranscriptLine[]): TurnTail | null => {
  const tail = isOpen(session) ? turnTail(lines) : null;
  if (!tail) return null;
  const { prompted, began, end } = session.memory;
  if (end && end.evidence.at >= prompted) {
    // An answer that was not written yet was taken for an interrupt.
    const after = end.kind === 'interrupted' ? prompted : end.evidence.at + 1;
    const kinds = end.kind === 'interrupted' ? ['Answered', 'Failed'] : ['Answered', 'Failed', 'Interrupted'];
    return kinds.includes(tail.kind) && tail.at >= after ? tail : null;
  }
  // The line of a prompt may be a moment older than what told of it; how it ended cannot be.
  const slack = tail.kind === 'Unanswered' ? 2_000 : 0;
  return tail.at >= (prompted ? prompted - slack : began) ? tail : null;
};

/** Work that ended without an answer was interrupted: an Esc before the first word leaves no line. */
const endDraft = (session: Folded, { kind, at, text }: TurnTail): Draft => {
  const { memory } = session;
  const name = kind === 'Unanswered' ? 'Interrupted' : kind;
  const idleAt = name === 'Interrupted' ? (memory.file?.evidence.at ?? 0) : 0;
  const message = kind === 'Unanswered' ? null : text?.slice(0, 20_000);
  return draft(session, name, Math.max(at, memory.prompted, idleAt), { message });
};

const draft = (session: Folded, name: string, at: number, fields: object): Draft => ({
  at: Math.floor(at),
  source: 'transcript',
  name,
  sessionId: session.id,
  context: {},
  raw: Buffer.from(JSON.stringify({ session_id: session.id, ...fields })),
});
