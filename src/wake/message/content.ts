/** Collect the content of a wake: the request, else the last message, else the transcript, else the pane. */
import { readTail } from '../../claude/transcript-file.ts';
import {
  contextTail,
  countedAt,
  type TranscriptLine,
  transcriptLines,
  turnText,
} from '../../claude/transcript.ts';
import { useOf } from '../../claude/window.ts';
import type { Hook } from '../../contract/hook.ts';
import type { ContextUse, Question } from '../../contract/session.ts';
import type { ContentSource, Wake, WakeSettings } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';
import type { Folded } from '../../session/memory.ts';
import { captureOf } from '../../tmux/server/capture.ts';
import { lastLines, newLines } from './pane-diff.ts';
import { requestOf, type WakeRequest } from './wake-request.ts';

export interface Content {
  source: ContentSource;
  text: string;
}

export interface WakeFacts {
  content: Content | null;
  questions: Question[] | null;
  context: ContextUse | null;
  /** The context use is from this turn. The CLI writes it up to 100 ms after the turn has ended. */
  counted: boolean;
  /** The request that the wake is about, if any. */
  request: WakeRequest | null;
}

export interface ContentSources {
  payloadAt: (seq: number) => Hook | null;
  /** Stores a capture and returns the previous one, atomically. */
  exchangeCapture: (sessionId: string, text: string) => string | null;
}

export const collectFacts = async (
  wake: Wake,
  session: Folded,
  settings: WakeSettings,
  sources: ContentSources,
): Promise<WakeFacts> => {
  if (wake.trigger === 'session_end')
    return { content: null, questions: null, context: null, counted: false, request: null };
  const tail = session.transcript ? readTail(session.transcript) : null;
  const lines = tail ? transcriptLines(tail.text, tail.fromStart) : [];
  const request = isAboutRequest(wake) ? requestOf(wake, session, sources.payloadAt) : null;
  const use = {
    context: contextOf(session, lines),
    counted: countedAt(lines) >= session.memory.prompted,
    request,
  };
  const questions = wake.trigger === 'ask_user_question' ? (request?.detail.questions ?? []) : null;
  if (questions?.length) return { content: null, questions, ...use };
  const content =
    requestContent(wake, request, sources) ??
    lastMessage(session, sources) ??
    transcriptContent(session, lines) ??
    (await paneContent(session, settings, sources));
  return { content, questions: null, ...use };
};

export const isAboutRequest = ({ trigger }: Pick<Wake, 'trigger'>): boolean =>
  requestTriggers.includes(trigger);

const requestTriggers: Wake['trigger'][] = ['permission_prompt', 'plan', 'dialog', 'ask_user_question'];

/** Return the request of a dialog, or the answers to a question. */
const requestContent = (
  wake: Wake,
  request: WakeRequest | null,
  { payloadAt }: ContentSources,
): Content | null => {
  const { trigger } = wake;
  if (trigger === 'ask_user_question_answered') {
    const text = answersOf(payloadAt(wake.seq));
    return text ? { source: 'tool_response', text } : null;
  }
  if (trigger !== 'permission_prompt' && trigger !== 'plan' && trigger !== 'dialog') return null;
  const detail = request?.detail;
  if (!detail?.text || detail.text === '{}') return null;
  const by = detail.agent ? [`asked by the subagent ${detail.agent}`] : [];
  const input = request?.input ? inputText(request.input) : detail.text;
  const text = trigger === 'permission_prompt' ? [detail.line, ...by, input] : [...by, input];
  return { source: 'tool_input', text: text.join('\n') };
};

/** The complete input of a tool; for a plan, its text. */
const inputText = (input: Record<string, unknown>): string =>
  typeof input.plan === 'string' ? input.plan : JSON.stringify(input);

const answersOf = (hook: Hook | null): string | null => {
  const { tool_response: response, tool_input: input } = hook ?? {};
  const answers: unknown = Object(response).answers ?? Object(input).answers;
  const rows = Object.entries(Object(answers) as Record<string, unknown>);
  return rows.map(([question, answer]) => `${question}\n${String(answer)}`).join('\n\n') || null;
};

/** The complete last message of the turn, from the event that ended it. */
const lastMessage = (
  { memory: { end, prompted } }: Folded,
  { payloadAt }: ContentSources,
): Content | null => {
  if (!end || end.evidence.at < prompted) return null;
  const { last_assistant_message: message, error } = payloadAt(end.evidence.seq) ?? {};
  const text = message || error;
  if (typeof text === 'string' && text.trim()) return { source: 'last_assistant_message', text };
  // The transcript arrived before the hook and has its own text of the error.
  const failure = end.kind === 'failed' ? end.detail?.text : null;
  return failure?.trim() ? { source: 'transcript', text: failure } : null;
};

const transcriptContent = ({ memory }: Folded, lines: TranscriptLine[]): Content | null => {
  const text = turnText(lines, memory.prompted);
  return text?.trim() ? { source: 'transcript', text } : null;
};

/** The lines of the pane that are new since the last capture, else its last lines. */
const paneContent = async (
  { id, pane }: Folded,
  { pane_capture_lines: lines }: WakeSettings,
  { exchangeCapture }: ContentSources,
): Promise<Content> => {
  const capture = pane && (await captureOf(pane, lines));
  const now = lastLines(capture?.text ?? '', Math.min(lines, limits.wake.paneLines));
  if (now.length === 0) return { source: 'none', text: 'Nothing was said, and the pane shows nothing.' };
  const before = exchangeCapture(id, now.join('\n'));
  const added = before === null ? [] : newLines(before.split('\n'), now);
  if (added.some(line => line.trim())) return { source: 'pane_diff', text: added.join('\n') };
  return { source: 'raw_pane_tail', text: now.join('\n') };
};

/** Read the tokens of the newest answer from the transcript: the session's own figure is updated a little later. */
const contextOf = (session: Folded, lines: TranscriptLine[]): ContextUse | null => {
  const tail = contextTail(lines);
  return tail ? useOf(session.model, tail) : session.context;
};
