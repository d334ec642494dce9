/** Build the text and the actions of a push notification. */
import type { RequestPage } from '../../contract/answer.ts';
import type { Notice } from '../../contract/notice.ts';
import type { PushAction, PushChoice, PushMessage } from '../../contract/push.ts';
import { limits } from '../../limits.ts';
import { inputText } from '../../session/request/input-text.ts';

export type NoticeSession = Notice['sessions'][number];

export interface MessageOptions {
  /** Show the request. */
  details: boolean;
  /** Removes secrets. */
  mask: (text: string) => string;
}

/** A notification, before it gets the key of a device. */
export interface MessageDraft extends Omit<PushMessage, 'key'> {
  choices: PushChoice[];
}

/** One notification for a session. `request` is the one to answer, `open` the number of open requests. */
export const sessionMessage = (
  session: NoticeSession,
  request: RequestPage | null,
  open: number,
  { details, mask }: MessageOptions,
): MessageDraft => {
  const text = request ? requestText(request) : (session.request ?? '');
  const more = open > 1 ? `and ${open - 1} more ${open === 2 ? 'request' : 'requests'}` : '';
  const body = [details ? mask(text) : '', more].filter(Boolean).join('\n');
  // Only offer Allow if the person sees the complete request: nothing masked, cut or unknown.
  const isComplete = details && request?.input != null && mask(text) === text && fits(body);
  const choices = request ? choicesOf(request, isComplete) : [];
  return {
    title: shorten(lineOf(session), limits.push.titleLength),
    body: shorten(body, limits.push.bodyLength),
    tag: session.id,
    session: session.id,
    actions: actionsOf(choices),
    choices,
    ...(request && choices.length > 0 && { request: request.id }),
  };
};

/** One notification for many sessions, or for a notice without sessions. It answers nothing. */
export const digestMessage = (notice: Notice, { details }: MessageOptions): MessageDraft => {
  const { title, text } = digestText(notice, details);
  return {
    title: shorten(title, limits.push.titleLength),
    body: shorten(text, limits.push.bodyLength),
    // A later digest takes the place of an earlier one; of other notices each stays.
    tag: notice.sessions.length > 0 ? 'digest' : `notice-${notice.at}`,
    session: null,
    actions: [],
    choices: [],
  };
};

const digestText = (
  { title, text, brief, sessions }: Notice,
  details: boolean,
): { title: string; text: string } => {
  if (sessions.length > 0)
    return { title: `${sessions.length} sessions wait for you`, text: sessions.map(lineOf).join('\n') };
  return details ? { title, text } : (brief ?? { title, text: '' });
};

/** `shop: needs approval`. */
const lineOf = ({ project, says }: NoticeSession): string => `${project ?? 'A session'}: ${says}`;

const requestText = ({ tool, agent, input, line }: RequestPage): string => {
  if (input === null) return line;
  const who = `${tool ?? 'A tool'}${agent ? ` (subagent ${agent})` : ''}`;
  const text = inputText(input);
  return text.includes('\n') ? `${who}\n${text}` : `${who}: ${text}`;
};

const choicesOf = ({ kind, choices }: RequestPage, isComplete: boolean): PushChoice[] => {
  const offers = (wanted: PushChoice) =>
    choices.some(({ choice, confirm }) => choice === wanted && confirm === undefined);
  return [
    ...(kind === 'permission' && isComplete && offers('allow') ? (['allow'] as const) : []),
    ...(offers('deny') ? (['deny'] as const) : []),
  ];
};

/** Browsers show two actions. */
const actionsOf = (choices: PushChoice[]): PushAction[] =>
  choices.length === 0 || choices.includes('allow') ? choices : ['review', ...choices];

/** Whether a notification shows this text to its end, and nothing in it is invisible or far to the side. */
const fits = (text: string): boolean =>
  !hidden.test(text) &&
  text.length <= limits.push.bodyLength &&
  text.split('\n').reduce((rows, line) => rows + rowsOf(line), 0) <= limits.push.rows;

/** Renderers wrap at spaces, some also at other marks such as `-` and `/`: the larger number counts. */
const rowsOf = (line: string): number =>
  Math.max(wrappedRows(line.split(/(?<=\p{Zs})/u)), wrappedRows(line.split(/(?<=[^\p{L}\p{N}])/u)));

/** Rows of text that breaks between these pieces, and inside a piece that is wider than a row. */
const wrappedRows = (pieces: string[]): number => {
  const { columns } = limits.push;
  let rows = 1;
  let used = 0;
  for (const piece of pieces) {
    const width = columnsOf(piece);
    if (used > 0 && used + width > columns) {
      rows++;
      used = 0;
    }
    used += width;
    const more = Math.ceil(used / columns) - 1;
    if (more > 0) {
      rows += more;
      used -= more * columns;
    }
  }
  return rows;
};

const columnsOf = (line: string): number =>
  Array.from(line).reduce((columns, letter) => columns + (letter > '\u02ff' ? 2 : 1), 0);

/** Control characters but the line break, characters without a shape, and gaps that push text out of sight. */
const hidden =
  /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{M}\u3164\u115f\u1160\uffa0]|[\p{Zs}\u2800]{5}/u;

const shorten = (text: string, length: number): string => {
  const plain = text.replace(/(?!\n)[\p{Cc}\p{Cf}]/gu, ' ');
  return plain.length <= length ? plain : `${plain.slice(0, length - 1)}…`;
};
