/** Read transcripts only where something is unknown: how a turn without a Stop hook ended, and the context in use. */
import { join } from 'node:path';
import { slugOf } from '../claude/slug.ts';
import {
  contextTail,
  hookStopOf,
  titlesOf,
  type TranscriptLine,
  transcriptLines,
  type TurnTail,
  turnTail,
} from '../claude/transcript.ts';
import { type FindWindow, useOf } from '../claude/window.ts';
import { readHead, readTail } from '../claude/transcript-file.ts';
import type { Clock } from '../clock.ts';
import type { Draft, Event } from '../contract/event.ts';
import { limits } from '../limits.ts';
import type { Folded } from '../session/memory.ts';
import { isRemote } from '../contract/origin.ts';
import { hookStopName } from '../session/reduce-transcript.ts';
import { titlesName, titleText } from '../session/names.ts';
import { timing } from '../session/timing.ts';
import { eventFrom } from '../session/own-event.ts';

export class Transcripts {
  private readonly usage = new Map<string, string>();
  private readonly measuring = new Map<string, NodeJS.Timeout>();
  /** Sessions whose transcript was searched for a title from its beginning. */
  private readonly begun = new Set<string>();
  private isClosed = false;

  constructor(
    private readonly dirs: () => string[],
    private readonly get: (id: string) => Folded | undefined,
    private readonly record: (drafts: Draft[]) => void,
    private readonly clock: Clock,
    private readonly findWindow?: FindWindow,
  ) {}

  /** Called for each event after its commit, with the current session. */
  onEvent(event: Event, session: Folded): void {
    if (this.isClosed) return;
    if (session.state === 'ended') {
      this.usage.delete(session.id);
      this.begun.delete(session.id);
    }
    if (session.state === 'ended' || isRemote(session)) return;
    const isTurnOver =
      event.source === 'hook' &&
      (event.name === 'Stop' || event.name === 'PostCompact' || event.name === 'SessionStart');
    const isIdle = event.source === 'file' && session.memory.file?.status === 'idle';
    if (!isTurnOver && !isIdle) return;
    this.scheduleUsage(session.id);
    const lines = this.tail(session);
    if (!lines) return;
    const end = isIdle ? endOf(session, lines) : null;
    // With live hooks the Stop hook is on its way, and says more than the answer in the transcript.
    const isCertain = end && end.kind !== 'Unanswered' && (end.kind !== 'Answered' || hasNoHooks(session));
    const drafts = [
      ...(isCertain ? [endDraft(session, end)] : []),
      ...this.usageOf(session, lines),
      ...this.titlesOf(session, lines),
    ];
    if (drafts.length) this.record(drafts);
    if (isIdle && !isCertain && hasNoHooks(session))
      this.retry(session, limits.transcript.endReads.early, false);
  }

  /** Stop reading, because the store is about to be closed. */
  close(): void {
    this.isClosed = true;
  }

  /** Find out how the turns of idle sessions ended, where no other source has reported it. */
  read(sessions: Folded[]): void {
    for (const session of sessions) this.readEnd(session, limits.transcript.endReads.late, true);
  }

  /** Read now, and again after these pauses while there is no end: the last lines may not be written yet. */
  private readEnd(session: Folded, retries: readonly number[], mayGuess: boolean): void {
    if (idleSince(session) === null || !isEndUnknown(session)) return;
    const lines = this.tail(session);
    const end = lines && endOf(session, lines);
    const isCertain = end && end.kind !== 'Unanswered';
    if (end && (isCertain || (mayGuess && this.isOfTurn(session)))) this.record([endDraft(session, end)]);
    if (!isCertain) this.retry(session, retries, mayGuess);
  }

  private retry(session: Folded, [wait, ...rest]: readonly number[], mayGuess: boolean): void {
    const idleAt = idleSince(session);
    if (wait === undefined || idleAt === null) return;
    setTimeout(() => {
      const now = this.isClosed ? undefined : this.get(session.id);
      if (now && idleSince(now) === idleAt) this.readEnd(now, rest, mayGuess);
    }, wait).unref();
  }

  /** Read the context use a little later, and again: its line is written shortly after the end of a turn. */
  private scheduleUsage(id: string, at = 0): void {
    clearTimeout(this.measuring.get(id));
    const reads = limits.transcript.usageReads;
    const [from = 0, to] = [reads[at - 1], reads[at]];
    if (to === undefined) return;
    const timer = setTimeout(() => {
      this.measuring.delete(id);
      const session = this.isClosed ? undefined : this.get(id);
      const lines = session && session.state !== 'ended' ? this.tail(session) : null;
      const drafts =
        session && lines
          ? [
              ...this.usageOf(session, lines),
              ...this.titlesOf(session, lines),
              ...hookStopDrafts(session, lines),
            ]
          : [];
      if (drafts.length) this.record(drafts);
      this.scheduleUsage(id, at + 1);
    }, to - from);
    timer.unref();
    this.measuring.set(id, timer);
  }

  private usageOf(session: Folded, lines: TranscriptLine[]): Draft[] {
    const tail = contextTail(lines);
    const current = JSON.stringify(tail);
    if (this.usage.get(session.id) === current || (!tail && session.context === null)) return [];
    this.usage.set(session.id, current);
    if (!tail) return [draft(session, 'Usage', this.clock.now(), {})];
    return [draft(session, 'Usage', this.clock.now(), useOf(session, tail, this.findWindow))];
  }

  /** Report titles that are new. One from the beginning of a long transcript is looked for once. */
  private titlesOf(session: Folded, tail: TranscriptLine[]): Draft[] {
    const { id, names } = session;
    const isFirst = names.generated === null && !this.begun.has(id);
    if (isFirst) this.awaitTitle(id, limits.transcript.titleReads);
    this.begun.add(id);
    const early = titlesOf(isFirst ? this.head(session) : []);
    const late = titlesOf(tail);
    // The person may have given another name since the beginning.
    const custom = titleText(late.custom ?? (names.inClaude === null ? early.custom : null));
    const generated = titleText(late.generated ?? early.generated);
    const isNew =
      (custom !== null && custom !== names.inClaude) || (generated !== null && generated !== names.generated);
    return isNew ? [draft(session, titlesName, this.clock.now(), { custom, generated })] : [];
  }

  /** Read again while there is no generated title: the CLI asks another model for it, and writes it when that has answered. */
  private awaitTitle(id: string, [wait, ...rest]: readonly number[]): void {
    if (wait === undefined) return;
    setTimeout(() => {
      const session = this.isClosed ? undefined : this.get(id);
      if (!session || session.state === 'ended' || session.names.generated !== null) return;
      const lines = this.tail(session);
      const drafts = lines ? this.titlesOf(session, lines) : [];
      if (drafts.length) this.record(drafts);
      else this.awaitTitle(id, rest);
    }, wait).unref();
  }

  /** Check that the session file describes the current turn: it was updated after the prompt, or had time to be. */
  private isOfTurn(session: Folded): boolean {
    const { prompted } = session.memory;
    return (idleSince(session) ?? 0) >= prompted || this.clock.now() >= prompted + timing.promptRefused;
  }

  private tail(session: Folded): TranscriptLine[] | null {
    for (const path of this.paths(session)) {
      const tail = readTail(path);
      if (tail) return transcriptLines(tail.text, tail.fromStart);
    }
    return null;
  }

  private head(session: Folded): TranscriptLine[] {
    for (const path of this.paths(session)) {
      const head = readHead(path, limits.transcript.listHeadBytes);
      if (head !== null) return transcriptLines(head, true);
    }
    return [];
  }

  private paths(session: Folded): string[] {
    if (isRemote(session)) return [];
    if (session.transcript) return [session.transcript];
    const startDir = session.dir ?? session.cwd;
    if (!startDir) return [];
    return this.dirs().map(dir => join(dir, 'projects', slugOf(startDir), `${session.id}.jsonl`));
  }
}

/** Return since when the session file says idle; null when it does not. */
const idleSince = ({ state, memory: { file } }: Folded): number | null =>
  state !== 'ended' && file?.status === 'idle' ? file.evidence.at : null;

const hasNoHooks = ({ memory, hooks }: Folded): boolean => memory.hooked === 0 || hooks === 'silent';

/** Check whether the end of the last turn is unknown, or no hook would report another one. */
const isEndUnknown = (session: Folded): boolean => {
  const { end, prompted, hooked } = session.memory;
  if (end && end.evidence.at >= prompted) return hasNoHooks(session);
  return prompted > 0 || hooked === 0;
};

/** Find out how the last turn of this run ended; null when it is known already, or cannot be found. */
const endOf = (session: Folded, lines: TranscriptLine[]): TurnTail | null => {
  const tail = isEndUnknown(session) ? turnTail(lines) : null;
  if (!tail) return null;
  const { prompted, began, end } = session.memory;
  if (end && end.evidence.at >= prompted) {
    // An answer that was written late may have been mistaken for an interrupt.
    const after = end.kind === 'interrupted' ? prompted : end.evidence.at + 1;
    const kinds = end.kind === 'interrupted' ? ['Answered', 'Failed'] : ['Answered', 'Failed', 'Interrupted'];
    return kinds.includes(tail.kind) && tail.at >= after ? tail : null;
  }
  // The line of a prompt may be slightly older than the event that reported it; the end of a turn cannot.
  const slack = tail.kind === 'Unanswered' ? 2_000 : 0;
  return tail.at >= (prompted ? prompted - slack : began) ? tail : null;
};

/** Report that a Stop hook ended the last turn. Its line is written after the Stop hooks have run. */
const hookStopDrafts = (session: Folded, lines: TranscriptLine[]): Draft[] => {
  const { end, prompted } = session.memory;
  const stop = hookStopOf(lines);
  const isKnown = end?.kind !== 'stopped' || end.outcome?.early === 'stop_hook';
  return !stop || isKnown || !(stop.at >= prompted)
    ? []
    : [draft(session, hookStopName, stop.at, { reason: stop.reason })];
};

/** A turn without an answer was interrupted: an Esc before the first output leaves no line. */
const endDraft = (session: Folded, { kind, at, text, error }: TurnTail): Draft => {
  const { memory } = session;
  const name = kind === 'Unanswered' ? 'Interrupted' : kind;
  const idleAt = name === 'Interrupted' ? (memory.file?.evidence.at ?? 0) : 0;
  const message = kind === 'Unanswered' ? null : text;
  return draft(session, name, Math.max(at, memory.prompted, idleAt), {
    message,
    ...(error !== undefined && { error }),
  });
};

const draft = ({ id }: Folded, name: string, at: number, fields: object): Draft =>
  eventFrom('transcript', name, id, Math.floor(at), fields);
