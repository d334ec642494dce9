/**
 * Answers all questions of an AskUserQuestion at once, in the same way as any request. Its PostToolUse then shows what
 * Claude Code received; differences are reported.
 */
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { AskAnswers, AskReport } from '../../contract/menu.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import { openRequests } from '../../session/request/requests.ts';
import type { SessionRequest, Folded } from '../../session/memory.ts';
import { labelsByQuestion, joinLabels } from './decision.ts';
import { ownEvent } from '../../session/own-event.ts';
import type { RequestAnswers } from './answer-request.ts';
import { noAnswerError, severalOpenError } from './no-answer.ts';
import { shortId } from '../../contract/short-id.ts';

export class Questions {
  constructor(
    private readonly loop: Loop,
    private readonly requests: RequestAnswers,
    private readonly clock: Clock,
  ) {}

  /** Answers, and reports what was taken. Throws `refused` without an open question, `bad_request` if the answers do not fit. */
  async answer(session: Folded, { answers, id }: AskAnswers): Promise<AskReport> {
    const asked = questionIn(session, id, this.clock.now());
    const input = this.inputOf(asked);
    const given = labelsByQuestion(input, answers);
    const abandoned = new AbortController();
    const taken = this.awaitAccepted(session.id, asked.evidence.seq, abandoned.signal);
    let by: AskReport['by'] = 'keys';
    try {
      const { way } = await this.requests.answer(session, { id: asked.evidence.seq, answers }, false);
      if (way === 'hook') by = 'hook';
    } catch (error) {
      abandoned.abort();
      throw error;
    }
    const report = reportOf(session.id, by, given, await taken);
    const { verdict, answers: found } = report;
    await this.loop.append([
      { draft: ownEvent('AskAnswered', session.id, this.clock.now(), { by, verdict, answers: found }) },
    ]);
    return report;
  }

  /** The complete questions, as the hook has them. */
  private inputOf({ evidence }: SessionRequest): Record<string, unknown> {
    const input = this.loop.payloadAt(evidence.seq)?.tool_input;
    if (typeof input !== 'object' || input === null)
      throw new DroverError('refused', 'The questions are not known: their hook did not arrive.');
    return input as Record<string, unknown>;
  }

  /** Waits for the PostToolUse of this question; null when it does not come in time, or the turn ends without it. */
  private async awaitAccepted(
    id: string,
    after: number,
    signal: AbortSignal,
  ): Promise<Record<string, unknown> | null> {
    const answers = await this.loop.until(
      commit => {
        if (!commit) return undefined;
        const { event, payload } = commit;
        if (event.sessionId !== id || event.source !== 'hook' || event.seq <= after) return undefined;
        if (event.name === 'PostToolUse' && payload?.tool_name === 'AskUserQuestion')
          return answersIn(payload);
        return event.name === 'Stop' || event.name === 'SessionEnd' ? null : undefined;
      },
      { timeout: limits.menu.answerTimeout, signal },
    );
    return answers ?? null;
  }
}

/** The question that is answered: the one that is named, or the only one. */
const questionIn = (session: Folded, id: number | undefined, now: number): SessionRequest => {
  const questions = openRequests(session.memory).filter(({ kind }) => kind === 'question');
  const asked = id === undefined ? questions[0] : questions.find(({ evidence }) => evidence.seq === id);
  if (id === undefined && questions.length > 1) throw severalOpenError(session.requests);
  if (asked) return asked;
  if (id !== undefined) throw noAnswerError(session, id, now);
  throw new DroverError('refused', `Session ${shortId(session.id)} has no open question.`);
};

const answersIn = ({ tool_response: response, tool_input: input }: Record<string, unknown>) =>
  objectOf(objectOf(response).answers ?? objectOf(input).answers);

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const reportOf = (
  id: string,
  by: AskReport['by'],
  given: Map<string, string[]>,
  taken: Record<string, unknown> | null,
): AskReport => {
  const answers = [...given].map(([question, labels]) => {
    const accepted = taken?.[question];
    const found =
      typeof accepted === 'string' ? accepted : accepted === undefined ? null : JSON.stringify(accepted);
    return {
      question,
      given: joinLabels(labels),
      taken: found,
      matches: found !== null && isSame(labels, found),
    };
  });
  const verdict = !taken ? 'unseen' : answers.every(({ matches }) => matches) ? 'matched' : 'mismatch';
  return { id, by, verdict, answers };
};

/** The dialog puts several labels into its own order. */
const isSame = (labels: string[], found: string): boolean =>
  plain(joinLabels(labels)) === plain(found) ||
  sortedKey(labels.flatMap(splitLabels)) === sortedKey(splitLabels(found));

const splitLabels = (text: string): string[] => text.split(', ');
const plain = (text: string): string => text.trim().toLowerCase();
const sortedKey = (all: string[]): string => JSON.stringify(all.map(plain).sort());
