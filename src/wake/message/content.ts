/** What there is to tell of a wake: the request itself, else what was said, else what the pane shows, and which it was. */
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

export interface Told {
  content: Content | null;
  questions: Question[] | null;
  context: ContextUse | null;
  /** The context was counted in this turn: the line that tells is written up to 100 ms after its end. */
  counted: boolean;
  /** The request that the wake is about; null where it is about none. */
  request: WakeRequest | null;
}

export interface Sources {
  payloadAt: (seq: number) => Hook | null;
  /** Puts a capture in the place of the session's last one, which it returns; in one step. */
  exchangeCapture: (sessionId: string, text: string) => string | null;
}

export const toldOf = async (
  wake: Wake,
  session: Folded,
  settings: WakeSettings,
  sources: Sources,
): Promise<Told> => {
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
    requested(wake, request, sources) ??
    said(session, sources) ??
    written(session, lines) ??
    (await shown(session, settings, sources));
  return { content, questions: null, ...use };
};

export const isAboutRequest = ({ trigger }: Pick<Wake, 'trigger'>): boolean => asking.includes(trigger);

const asking: Wake['trigger'][] = ['permission_prompt', 'plan', 'dialog', 'ask_user_question'];

/** What a dialog asks, or how it was answered. */
const requested = (wake: Wake, request: WakeRequest | null, { payloadAt }: Sources): Content | null => {
  const { trigger } = wake;
  if (trigger === 'ask_user_question_answered') {
    const text = answersOf(payloadAt(wake.seq));
    return text ? { source: 'tool_response', text } : null;
  }
  if (trigger !== 'permission_prompt' && trigger !== 'plan' && trigger !== 'dialog') return null;
  const asked = request?.detail;
  if (!asked?.text || asked.text === '{}') return null;
  const by = asked.agent ? [`asked by the subagent ${asked.agent}`] : [];
  const whole = request?.input ? inputText(request.input) : asked.text;
  const text = trigger === 'permission_prompt' ? [asked.line, ...by, whole] : [...by, whole];
  return { source: 'tool_input', text: text.join('\n') };
};

/** The complete input of a tool; a plan is itself. */
const inputText = (input: Record<string, unknown>): string =>
  typeof input.plan === 'string' ? input.plan : JSON.stringify(input);

const answersOf = (hook: Hook | null): string | null => {
  const { tool_response: response, tool_input: input } = hook ?? {};
  const answers: unknown = Object(response).answers ?? Object(input).answers;
  const rows = Object.entries(Object(answers) as Record<string, unknown>);
  return rows.map(([question, answer]) => `${question}\n${String(answer)}`).join('\n\n') || null;
};

/** The last message of the turn, whole, as its end told it. */
const said = ({ memory: { end, prompted } }: Folded, { payloadAt }: Sources): Content | null => {
  if (!end || end.evidence.at < prompted) return null;
  const { last_assistant_message: message, error } = payloadAt(end.evidence.seq) ?? {};
  const text = message || error;
  if (typeof text === 'string' && text.trim()) return { source: 'last_assistant_message', text };
  // The transcript was faster than the hook, and has the error in its own words.
  const words = end.kind === 'failed' ? end.detail?.text : null;
  return words?.trim() ? { source: 'transcript', text: words } : null;
};

const written = ({ memory }: Folded, lines: TranscriptLine[]): Content | null => {
  const text = turnText(lines, memory.prompted);
  return text?.trim() ? { source: 'transcript', text } : null;
};

/** What is new on the screen since the last look, else its last lines. */
const shown = async (
  { id, pane }: Folded,
  { pane_capture_lines: lines }: WakeSettings,
  { exchangeCapture }: Sources,
): Promise<Content> => {
  const capture = pane && (await captureOf(pane, lines));
  const now = lastLines(capture?.text ?? '', Math.min(lines, limits.wake.paneLines));
  if (now.length === 0) return { source: 'none', text: 'Nothing was said, and the pane shows nothing.' };
  const before = exchangeCapture(id, now.join('\n'));
  const added = before === null ? [] : newLines(before.split('\n'), now);
  if (added.some(line => line.trim())) return { source: 'pane_diff', text: added.join('\n') };
  return { source: 'raw_pane_tail', text: now.join('\n') };
};

/** The tokens of the newest answer in the transcript: the session itself hears of them a moment later. */
const contextOf = (session: Folded, lines: TranscriptLine[]): ContextUse | null => {
  const tail = contextTail(lines);
  return tail ? useOf(session.model, tail) : session.context;
};
