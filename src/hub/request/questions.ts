/**
 * Answers all questions of an AskUserQuestion at once: through its hook if that is held, else by keys in the terminal. Its
 * PostToolUse then shows what Claude Code took; differences are reported.
 */
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import type { AskAnswers, AskReport } from '../../contract/menu.ts';
import { limits } from '../../limits.ts';
import type { Loop } from '../../live/loop.ts';
import { openRequests } from '../../session/requests.ts';
import type { SessionRequest, Folded } from '../../session/memory.ts';
import { givenTo, joined } from './decision.ts';
import { ownEvent } from '../../session/own-event.ts';
import type { Holds } from './holds.ts';
import type { Menus } from '../menu/menu.ts';
import { findOption } from '../menu/menu-option.ts';
import { noAnswer, several } from './no-answer.ts';
import { shortId } from '../../contract/short-id.ts';

export class Questions {
  constructor(
    private readonly loop: Loop,
    private readonly holds: Holds,
    private readonly menus: Menus,
    private readonly clock: Clock,
  ) {}

  /** Answers, and reports what was taken. Throws `refused` without an open question, `bad_request` if the answers do not fit. */
  async answer(session: Folded, { answers, id }: AskAnswers): Promise<AskReport> {
    const asked = questionIn(session, id, this.clock.now());
    const input = this.inputOf(asked);
    const given = givenTo(input, answers);
    const abandoned = new AbortController();
    const taken = this.taken(session.id, asked.evidence.seq, abandoned.signal);
    let by: AskReport['by'] = 'keys';
    try {
      if (this.holds.isOpen(asked.evidence.seq)) {
        by = 'hook';
        await this.holds.answer(session.id, { id: asked.evidence.seq, answers });
      } else await this.menus.exclusively(session, () => this.press(session, given));
    } catch (error) {
      abandoned.abort();
      throw error;
    }
    const report = reportOf(session.id, by, given, await taken);
    const { verdict, answers: found } = report;
    await this.loop.take([
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

  private async press(session: Folded, given: Map<string, string[]>): Promise<void> {
    let ticks = false;
    for (const [question, labels] of given)
      ticks = (await this.answerOne(session, question, labels)) === 'ticked' || ticks;
    // Several questions, or one with several answers, end with a review of all answers.
    if (given.size > 1 || ticks) {
      const review = await this.menus.readMenu(session, 'Ready to submit your answers?');
      await this.menus.choose(session, findOption(review, 'Submit answers'));
    }
  }

  private async answerOne(session: Folded, question: string, labels: string[]): Promise<'chosen' | 'ticked'> {
    const menu = await this.menus.readMenu(session, question);
    const known = (label: string) => menu.options.find(one => one.label === label);
    const words = labels.filter(label => !known(label));
    const several = menu.options.some(({ checked }) => checked !== null);
    if (words.length > 1)
      throw new DroverError('bad_request', `${JSON.stringify(question)} takes one answer in words at most.`);
    if (!several) {
      const [label = ''] = labels;
      const option = known(label);
      if (!option) await this.menus.typeInto(session, menu, label);
      const typed = (await this.menus.readMenu(session, question)).options.find(({ selected }) => selected);
      await this.menus.choose(session, option ?? (typed as NonNullable<typeof typed>));
      return 'chosen';
    }
    // Corrects what somebody ticked before.
    for (const option of menu.options)
      if (option.checked !== null && option.checked !== labels.includes(option.label))
        await this.menus.choose(session, option);
    const [own] = words;
    if (own !== undefined)
      await this.menus.typeInto(session, await this.menus.readMenu(session, question), own);
    const end = (await this.menus.readMenu(session, question)).options.find(({ number }) => number === null);
    if (!end) throw new DroverError('refused', 'The question has no Submit.');
    await this.menus.choose(session, end);
    return 'ticked';
  }

  /** Waits for the PostToolUse of this question; null when it does not come in time, or the turn ends without it. */
  private async taken(
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
  if (id === undefined && questions.length > 1) throw several(session.requests);
  if (asked) return asked;
  if (id !== undefined) throw noAnswer(session, id, now);
  throw new DroverError('refused', `Session ${shortId(session.id)} asks no question.`);
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
    const said = taken?.[question];
    const found = typeof said === 'string' ? said : said === undefined ? null : JSON.stringify(said);
    return {
      question,
      given: joined(labels),
      taken: found,
      matches: found !== null && isSame(labels, found),
    };
  });
  const verdict = !taken ? 'unseen' : answers.every(({ matches }) => matches) ? 'matched' : 'mismatch';
  return { id, by, verdict, answers };
};

/** The dialog puts several labels into its own order. */
const isSame = (labels: string[], found: string): boolean =>
  plain(joined(labels)) === plain(found) || sorted(labels.flatMap(parts)) === sorted(parts(found));

const parts = (text: string): string[] => text.split(', ');
const plain = (text: string): string => text.trim().toLowerCase();
const sorted = (all: string[]): string => JSON.stringify(all.map(plain).sort());
