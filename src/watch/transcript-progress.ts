/**
 * Sessions without a session file: their transcript shows that they continued after the Stop, although the hook of the prompt was
 * lost. Without this they would stay in the queue.
 */
import { statSync } from 'node:fs';
import { transcriptLines, type TurnTail, turnTail } from '../claude/transcript.ts';
import { readTail } from '../claude/transcript-file.ts';
import type { Clock } from '../clock.ts';
import type { Draft } from '../contract/event.ts';
import { isRemote } from '../contract/origin.ts';
import { limits } from '../limits.ts';
import type { Folded } from '../session/memory.ts';
import { progressName } from '../session/reduce-transcript.ts';
import { eventFrom } from '../session/own-event.ts';

/** A transcript as it was read last. */
interface Seen {
  size: number;
  /** When it last grew. */
  grewAt: number;
  tail: TurnTail | null;
}

export class TranscriptProgress {
  private readonly seen = new Map<string, Seen>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly live: () => Folded[],
    private readonly record: (drafts: Draft[]) => void,
    private readonly clock: Clock,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.poll(), limits.transcript.progressScan);
    this.timer.unref();
  }

  close(): void {
    if (this.timer) clearInterval(this.timer);
  }

  poll(): void {
    const watched = this.live().filter(isWatched);
    const ids = new Set(watched.map(({ id }) => id));
    for (const id of this.seen.keys()) if (!ids.has(id)) this.seen.delete(id);
    const drafts = watched.flatMap(session => this.draftsOf(session));
    if (drafts.length) this.record(drafts);
  }

  private draftsOf(session: Folded): Draft[] {
    const seen = this.read(session);
    if (!seen?.tail) return [];
    const { kind, at, text } = seen.tail;
    const { end, prompted } = session.memory;
    if (isOver(session)) return end && at > end.evidence.at ? [draft(session, progressName, at, {})] : [];
    // It works since a line of the transcript. A turn that no hook ends is over when nothing is written for a while.
    const isQuiet = this.clock.now() - seen.grewAt >= limits.transcript.progressQuiet;
    if (kind === 'Unanswered' || at < prompted || !isQuiet) return [];
    return [draft(session, kind, at, { message: text })];
  }

  /** Read the end of the transcript again if the file has grown. */
  private read({ id, transcript }: Folded): Seen | null {
    const size = transcript ? statSync(transcript, { throwIfNoEntry: false })?.size : undefined;
    if (!transcript || size === undefined) return null;
    const before = this.seen.get(id);
    if (before?.size === size) return before;
    const read = readTail(transcript);
    const tail = read && turnTail(transcriptLines(read.text, read.fromStart));
    const seen = { size, grewAt: this.clock.now(), tail };
    this.seen.set(id, seen);
    return seen;
  }
}

/** Whether it has no session file, and its turn has ended or was resumed by a line of its transcript. */
const isWatched = (session: Folded): boolean => {
  const { state, memory, transcript } = session;
  if (memory.file !== null || transcript === null || state === 'ended' || isRemote(session)) return false;
  return isOver(session) ? memory.requests.length === 0 : memory.prompt?.name === progressName;
};

const isOver = ({ memory: { end, prompted } }: Folded): boolean =>
  end !== null && end.evidence.at >= prompted;

const draft = ({ id }: Folded, name: string, at: number, fields: object): Draft =>
  eventFrom('transcript', name, id, Math.floor(at), fields);
