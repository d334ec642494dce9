/**
 * Answers requests, for commands, the board, the page, programs and agents alike. If a hook waits with the request, the answer
 * goes through the hook. Otherwise, or if the hook cannot express the choice, keys answer the dialog in the terminal. The first
 * answer wins.
 */
import type { Answer, Answered, Choice, Request, RequestPage } from '../../contract/answer.ts';
import type { Clock } from '../../clock.ts';
import { DroverError } from '../../contract/error.ts';
import { isRemote, unverifiedOrigin, whereOf } from '../../contract/origin.ts';
import { shortId } from '../../contract/short-id.ts';
import type { Loop } from '../../live/loop.ts';
import type { Folded } from '../../session/memory.ts';
import { ownEvent } from '../../session/own-event.ts';
import { holdEvents } from '../../session/request/pending.ts';
import type { DrivePolicy } from '../drive-policy.ts';
import { inputHash } from '../../sha256.ts';
import type { ScreenAnswers } from './answer-by-screen.ts';
import { choiceOf, hookChoices } from './choices.ts';
import type { Holds } from './holds.ts';
import { noAnswerError, severalOpenError } from './no-answer.ts';

export interface AnswerDeps {
  loop: Loop;
  holds: Holds;
  screens: ScreenAnswers;
  clock: Clock;
  drive: DrivePolicy;
  /** Waits until everything that the sources know about these sessions is committed. */
  catchUp: (ids: string[]) => Promise<void>;
}

export class RequestAnswers {
  constructor(private readonly deps: AnswerDeps) {}

  /** Reads an open request with its choices; throws what happened to one that is gone. */
  async read(session: Folded, id: number): Promise<RequestPage> {
    const { holds, screens } = this.deps;
    const request = this.requestOf(session, id);
    const held = holds.heldDetails(id);
    const reason = whyUnreachable(session);
    // A hook cannot express the mode of a plan. It is the only such choice that is offered.
    const isRead = reason === null && held?.kind !== 'permission' && held?.kind !== 'question';
    const onScreen = isRead ? await screens.read(session, id) : { choices: [], why: reason ?? '' };
    if (held) return { ...request, way: 'hook', choices: mergeChoices(hookChoices(held), onScreen.choices) };
    if (onScreen.choices.length > 0) return { ...request, way: 'screen', choices: onScreen.choices };
    return { ...request, way: 'none', choices: [], why: onScreen.why ?? 'Answer it in its terminal.' };
  }

  /** Answers one request; throws why it cannot, and `bad_request` when the answer does not fit. */
  async answer(session: Folded, answer: Answer, isPerson: boolean): Promise<Answered> {
    const { loop, holds, catchUp } = this.deps;
    await catchUp([session.id]);
    const now = loop.sessionIndex.get(session.id) ?? session;
    if (answer.id === undefined && now.requests.length > 1) throw severalOpenError(now.requests);
    const id = answer.id ?? now.requests[0]?.id;
    if (id === undefined) throw noAnswerError(now, undefined, this.deps.clock.now());
    const held = holds.heldDetails(id);
    if (!held) return this.byScreen(now, id, answer, isPerson);
    const choice = choiceOf(held.kind, answer);
    if (hookChoices(held).some(one => one.choice === choice))
      return holds.answer(session.id, { ...answer, id });
    const offered = await this.deps.screens.read(now, id);
    if (!offered.choices.some(one => one.choice === choice))
      throw new DroverError(
        'bad_request',
        `This request has no choice ${JSON.stringify(choice)}.`,
        `It has ${mergeChoices(hookChoices(held), offered.choices)
          .map(one => one.choice)
          .join(', ')}.`,
      );
    holds.releaseToScreen(id);
    return this.byScreen(now, id, answer, isPerson);
  }

  private async byScreen(session: Folded, id: number, answer: Answer, isPerson: boolean): Promise<Answered> {
    const request = this.requestOf(session, id);
    const choice = choiceOf(request.kind, answer);
    const reason = whyUnreachable(session);
    if (reason !== null) throw new DroverError('refused', reason);
    // The dialog takes no message: it is sent as the next prompt.
    if (answer.message !== undefined && !isPerson) this.deps.drive.assertMayDrive(session);
    const {
      choice: made,
      waited,
      unsent,
    } = await this.deps.screens.answer(session, id, answer, choice, isPerson);
    const behavior = made.effect === 'deny' ? 'deny' : 'allow';
    await this.record(session.id, id, made, behavior);
    if (unsent !== null) throw unsent;
    const { tool, line, input } = request;
    return {
      id,
      tool,
      line,
      behavior,
      choice: made.choice,
      way: 'screen',
      waited,
      inputHash: inputHash(input ?? {}),
    };
  }

  /** Records the answer, so that the error for a later answer can name who was first. */
  private async record(
    sessionId: string,
    id: number,
    { choice }: Choice,
    behavior: 'allow' | 'deny',
  ): Promise<void> {
    const { loop, clock } = this.deps;
    const fields = { hold: id, by: 'answer', behavior, way: 'screen', choice };
    await loop.append([{ draft: ownEvent(holdEvents.released, sessionId, clock.now(), fields) }]);
  }

  private requestOf(session: Folded, id: number): Request {
    const request = this.deps.holds.requestsOf(session).find(one => one.id === id);
    if (!request) throw noAnswerError(session, id, this.deps.clock.now());
    return request;
  }
}

/** The choices of the hook, and those that only the screen offers, in the order of the screen. A plan is approved with its mode. */
const mergeChoices = (hook: Choice[], screen: Choice[]): Choice[] => {
  const more = screen.filter(one => !hook.some(({ choice }) => choice === one.choice));
  const hasModes = more.some(({ choice }) => choice.startsWith('plan:'));
  const kept = hook.filter(({ choice }) => !(hasModes && choice === 'allow'));
  return [
    ...kept.filter(({ effect }) => effect !== 'deny'),
    ...more,
    ...kept.filter(({ effect }) => effect === 'deny'),
  ];
};

/** Why the terminal of a session cannot be reached from here; null when it can. */
const whyUnreachable = (session: Folded): string | null => {
  const short = shortId(session.id);
  if (session.origin === unverifiedOrigin)
    return `${short} was reported without a token, so it is only shown: answer it where it runs.`;
  if (isRemote(session)) return `${short} runs on ${whereOf(session)}: answer it there.`;
  if (session.headless) return `${short} is headless: it has no terminal.`;
  return session.pane ? null : `${short} is not in a tmux pane: answer it in its terminal.`;
};
