/** Collect the content of a wake: the request, else the last message, else the transcript, else the pane. */
import { setTimeout as pause } from 'node:timers/promises';
import { menuPlace } from '../../claude/screen/menu.ts';
import { readTail } from '../../claude/transcript-file.ts';
import {
  contextTail,
  countedAt,
  type TranscriptLine,
  transcriptLines,
  turnText,
} from '../../claude/transcript.ts';
import { type FindWindow, useOf } from '../../claude/window.ts';
import type { Hook } from '../../contract/hook.ts';
import type { ContextUse, Question } from '../../contract/session.ts';
import type { ContentSource, Wake, WakeSettings } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';
import type { Folded } from '../../session/memory.ts';
import { capturePane } from '../../tmux/server/capture.ts';
import { isOvertaken } from '../outbox/overtaken.ts';
import { lastLines, newLines } from './pane-diff.ts';
import { requestOf, type WakeRequest } from './wake-request.ts';

export interface Content {
  source: ContentSource;
  text: string;
}

export interface WakeFacts {
  content: Content | null;
  /** The last lines of the pane, for triggers that carry it. */
  pane: string | null;
  /** A later prompt has begun another turn. */
  overtaken: boolean;
  questions: Question[] | null;
  context: ContextUse | null;
  /** The context use is from this turn. The CLI writes it up to 100 ms after the turn has ended. */
  isCurrentUse: boolean;
  /** The request that the wake is about, if any. */
  request: WakeRequest | null;
}

export interface ContentSources {
  payloadAt: (seq: number) => Hook | null;
  /** Stores a capture and returns the previous one, atomically. */
  exchangeCapture: (sessionId: string, text: string) => string | null;
  /** Finds the context window that the CLI has reported for a model. */
  findWindow?: FindWindow;
}

export const collectFacts = async (
  wake: Wake,
  session: Folded,
  settings: WakeSettings,
  sources: ContentSources,
): Promise<WakeFacts> => {
  if (wake.trigger === 'session_end') return { ...noFacts, request: null };
  const overtaken = isOvertaken(wake, session);
  const tail = session.transcript ? readTail(session.transcript) : null;
  const lines = tail ? transcriptLines(tail.text, tail.fromStart) : [];
  const request = isAboutRequest(wake) ? requestOf(wake, session, sources.payloadAt) : null;
  const use = {
    overtaken,
    context: contextOf(session, lines, sources.findWindow),
    // The next turn may have added to the use of an overtaken one.
    isCurrentUse: countedAt(lines) >= session.memory.prompted && !overtaken,
    request,
  };
  const questions = wake.trigger === 'ask_user_question' ? (request?.detail.questions ?? []) : null;
  if (questions?.length) return { content: null, pane: null, questions, ...use };
  const isDialog = wake.trigger === 'permission_prompt';
  const pane = paneTriggers.includes(wake.trigger) ? await paneText(session, settings, isDialog) : null;
  const found = overtaken
    ? messageOf(wake.seq, sources)
    : (requestContent(wake, request, sources) ??
      lastMessage(session, sources) ??
      transcriptContent(session, lines));
  // Transcript and pane of an overtaken turn cannot be separated from what follows it.
  const content = found ?? (pane || overtaken ? null : await paneContent(session, settings, sources));
  return { content, pane, questions: null, ...use };
};

const noFacts = {
  content: null,
  pane: null,
  questions: null,
  context: null,
  isCurrentUse: false,
  overtaken: false,
} as const;

/** Triggers that carry the pane, as in gsd-code-skill. */
const paneTriggers: Wake['trigger'][] = ['idle_prompt', 'permission_prompt', 'pre_compact'];

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
  const message = messageOf(end.evidence.seq, { payloadAt });
  if (message) return message;
  // The transcript arrived before the hook and has its own text of the error.
  const failure = end.kind === 'failed' ? end.detail?.text : null;
  return failure?.trim() ? { source: 'transcript', text: failure } : null;
};

/** The complete message of the event that ended a turn. */
const messageOf = (seq: number, { payloadAt }: Pick<ContentSources, 'payloadAt'>): Content | null => {
  const { last_assistant_message: message, error } = payloadAt(seq) ?? {};
  const text = message || error;
  return typeof text === 'string' && text.trim() ? { source: 'last_assistant_message', text } : null;
};

const transcriptContent = ({ memory }: Folded, lines: TranscriptLine[]): Content | null => {
  const text = turnText(lines, memory.prompted);
  return text?.trim() ? { source: 'transcript', text } : null;
};

/** The last lines of the pane; empty when there is none. */
const paneLines = async (
  { pane }: Folded,
  { pane_capture_lines: wanted }: WakeSettings,
): Promise<string[]> => {
  const lines = Math.min(wanted, limits.wake.paneLines);
  const capture = pane && (await capturePane(pane, lines));
  return lastLines(capture?.text ?? '', lines);
};

/** The last lines of the pane. The dialog of a request may appear a moment after its hook. */
const paneText = async (
  session: Folded,
  settings: WakeSettings,
  isDialog: boolean,
): Promise<string | null> => {
  for (let left = isDialog ? limits.wake.dialogReads : 0; ; left--) {
    const text = (await paneLines(session, settings)).join('\n');
    if (left === 0 || menuPlace(text.split('\n')) !== null) return text || null;
    await pause(limits.wake.dialogPoll);
  }
};

/** The lines of the pane that are new since the last capture, else its last lines. */
const paneContent = async (
  session: Folded,
  settings: WakeSettings,
  { exchangeCapture }: ContentSources,
): Promise<Content> => {
  const { id } = session;
  const now = await paneLines(session, settings);
  if (now.length === 0) return { source: 'none', text: 'Nothing was said, and the pane shows nothing.' };
  const before = exchangeCapture(id, now.join('\n'));
  const added = before === null ? [] : newLines(before.split('\n'), now);
  if (added.some(line => line.trim())) return { source: 'pane_diff', text: added.join('\n') };
  return { source: 'raw_pane_tail', text: now.join('\n') };
};

/** Read the tokens of the newest answer from the transcript: the session's own figure is updated a little later. */
const contextOf = (
  session: Folded,
  lines: TranscriptLine[],
  findWindow: FindWindow | undefined,
): ContextUse | null => {
  const tail = contextTail(lines);
  return tail ? useOf(session, tail, findWindow) : session.context;
};
