/** What is being asked, of all sessions: at most one question for each hook of a session, the newest. */
import type { Event } from '../../contract/event.ts';
import type { Folded } from '../../session/memory.ts';
import { Question } from './question.ts';

export class Questions {
  private readonly open = new Map<string, Question>();

  /** The question that this event asks; the same one for every agent. */
  ask(session: Folded, event: Event, ms: number): Question {
    const key = keyOf(session.id, event.name);
    const before = this.open.get(key);
    if (before?.seq === event.seq) return before;
    before?.end('gone', null);
    const question = new Question(session.id, event.name, event.seq, event.at, session.transcript, ms);
    if (this.open.size >= questionsKept) this.sweep();
    this.open.set(key, question);
    return question;
  }

  /** The questions of a session that are not over. */
  of(sessionId: string): Question[] {
    return [...this.open.values()].filter(
      question => question.sessionId === sessionId && question.endedBy === null,
    );
  }

  end(): void {
    for (const question of this.open.values()) question.end('gone', null);
  }

  private sweep(): void {
    for (const [key, { endedBy }] of this.open) if (endedBy !== null) this.open.delete(key);
  }
}

const questionsKept = 1_000;

const keyOf = (sessionId: string, hook: string): string => `${hook} ${sessionId}`;
