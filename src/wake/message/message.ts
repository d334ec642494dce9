/** Wake format v2: the same facts as text with sections, for a model to read, and as an object, for a program. */
import type { Folded } from '../../session/memory.ts';
import type { Question } from '../../contract/session.ts';
import type { Pressure, Wake, WakeAgent, WakeMessage, WakeParcel } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';
import { quote } from '../../quote.ts';
import { actionsOf } from './actions.ts';
import type { Content, Told } from './content.ts';
import { cutMiddle, headOf, oneLine, plain } from './cut.ts';
import { hintOf } from './hint.ts';
import { pressureOf } from './pressure.ts';
import { isAnswerable } from './wake-request.ts';

export interface Writing {
  agent: WakeAgent;
  now: number;
  /** Bytes of content; what is over is left out of the middle. */
  most: number;
  /** False: programs may not type into the session. */
  driven?: boolean;
  /** Takes out what must not leave the daemon. */
  mask: (text: string) => string;
}

export const messageOf = (wake: Wake, session: Folded, told: Told, writing: Writing): WakeMessage => {
  const { agent, now, most } = writing;
  const mask = (text: string) => plain(writing.mask(text));
  const masked = (text: string | null) => text && mask(text);
  const ended = wake.trigger === 'session_end';
  return {
    format: 2,
    wake: wake.id,
    identity: {
      agent_id: agent.id,
      session: session.id,
      tmux_session_name: masked(session.pane?.session ?? null),
      pane: session.pane?.id ?? null,
      project: masked(session.project),
      directory: masked(session.cwd ?? session.dir),
      timestamp: new Date(now).toISOString(),
    },
    trigger: {
      type: wake.trigger,
      continuation: wake.continuation,
      hops: wake.hops,
      reason: ended ? session.reason : null,
      next: ended ? session.next : null,
      request: told.request?.id ?? null,
    },
    all: eventOf(session, wake.seq),
    content: told.content && cutContent(told.content, mask, most, mask(restOf(told.content, wake, session))),
    questions: told.questions && told.questions.map(question => maskQuestion(question, mask)),
    others: told.request ? othersOf(session, told.request.id, mask) : [],
    state: hintOf(session, wake.trigger),
    pressure: ended
      ? null
      : pressureOf(told.context, agent.settings.context_pressure_threshold, told.counted),
    actions: actionsOf(session, {
      trigger: wake.trigger,
      request: told.request,
      isAnswerable: isAnswerable(session, told.request?.id ?? null),
      driven: writing.driven ?? true,
      mask,
    }).map(({ command, note }) => ({
      command,
      note: note && headOf(mask(note), noteBytes),
    })),
  };
};

/** `most`: bytes of the questions, which are whole in the object. */
export const textOf = (message: WakeMessage, most: number = limits.wake.contentBytes): string => {
  const { identity, trigger, all, content, questions, others, state, pressure, actions, wake } = message;
  const sections = [
    ['SESSION IDENTITY', fields({ ...identity, wake })],
    [
      'TRIGGER',
      fields({
        type: trigger.type,
        continuation: trigger.continuation ? 'true' : null,
        hops: trigger.hops > 0 ? String(trigger.hops) : null,
        reason: trigger.reason,
        next: trigger.next,
        request: trigger.request === null ? null : String(trigger.request),
      }),
    ],
    ...(content ? [['CONTENT', `source: ${content.source}\n${indented(content.text)}`]] : []),
    ...(questions
      ? [['ASK USER QUESTION', cutMiddle(questions.map(questionText).join('\n\n'), most, all)]]
      : []),
    ...(others.length ? [['OTHER OPEN REQUESTS', othersText(others)]] : []),
    ['STATE HINT', `state: ${state}`],
    ...(pressure ? [['CONTEXT PRESSURE', pressureText(pressure)]] : []),
    ...(actions.length ? [['AVAILABLE ACTIONS', actions.map(actionText).join('\n')]] : []),
  ];
  return `${sections.map(([name, body]) => `[${name}]\n${body}`).join('\n\n')}\n`;
};

/** Everything an agent gets at once, as text. */
export const parcelText = ({ digest, test, wakes, agent_id: agent }: WakeParcel): string => {
  if (test) return `[SESSION IDENTITY]\nagent_id: ${agent}\n\n[TRIGGER]\ntype: test\n`;
  if (digest) return digestText(wakes, agent);
  return wakes.map(message => textOf(message, shareOf(wakes.length))).join('\n');
};

/** The same in no more than so many bytes, with a way to the rest. */
export const cappedText = (parcel: WakeParcel, most: number): string => {
  const text = parcelText(parcel);
  if (Buffer.byteLength(text) <= most) return text;
  const { digest, wakes, agent_id: agent } = parcel;
  const rest = digest ? logOf(agent, wakes.length) : wakes.map(({ all }) => all).join('; ');
  const way = `\n[CUT] the rest: ${rest}\n`;
  return headOf(text, most - Buffer.byteLength(way)) + way;
};

const digestText = (wakes: WakeMessage[], agent: string): string => {
  const sessions = new Set(wakes.map(({ identity }) => identity.session));
  const rows = wakes.slice(0, digestRows).map(({ identity, trigger, state, content }) => {
    const line = content ? `  ${headOf(oneLine(content.text), 120)}` : '';
    const project = oneLine(identity.project ?? '-');
    return `${identity.session}  ${project}  type: ${trigger.type}  state: ${state}${line}`;
  });
  const hops = Math.min(...wakes.map(({ trigger }) => trigger.hops));
  const more = wakes.length > rows.length ? [`and ${wakes.length - rows.length} more`] : [];
  return [
    `[WAKE DIGEST]\nagent_id: ${agent}\n${wakes.length} wakes of ${sessions.size} sessions at once${hops > 0 ? `\nhops: ${hops}` : ''}`,
    `[WAKES]\n${[...rows, ...more].join('\n')}`,
    `[AVAILABLE ACTIONS]\n${logOf(agent, wakes.length)}\ndrover ls --waiting\n`,
  ].join('\n\n');
};

/** Lines of a digest: 32 KB hold them. */
const digestRows = 100;

/** What an action does is said in a line. */
const noteBytes = 200;

/** The wakes of a digest, one by one: `drover wake log` shows up to 1,000. */
const logOf = (agent: string, wakes: number): string =>
  `drover wake log --agent ${quote(agent)} --last ${Math.min(wakes, 1_000)}`;

/** An event of the log, whole. */
const eventOf = ({ id }: Folded, seq: number): string => `drover events ${id} --after ${seq - 1} --json`;

const fields = (values: Record<string, string | null>): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value.replace(/\n/g, ' ')}`]))
    .join('\n');

/** Nothing that was said can pass for a section of the message. */
const indented = (text: string): string => text.replace(/^(?=\[[A-Z][A-Z ]*\])/gm, ' ');

const questionText = ({ question, header, multiSelect, options }: Question, n: number): string =>
  [
    `${n + 1}. ${question.replace(/\n/g, ' ')}`,
    ...(header ? [`header: ${header.replace(/\n/g, ' ')}`] : []),
    `multi_select: ${multiSelect}`,
    ...options.map(({ label, description }, index) =>
      `  ${index + 1}) ${label}${description ? ` - ${description}` : ''}`.replace(/\n/g, ' '),
    ),
  ].join('\n');

const pressureText = ({ level, percent, tokens, window, turn }: Pressure): string =>
  fields({
    level,
    percent: percent === null ? null : String(percent),
    tokens: tokens === null ? null : `${tokens}${window === null ? '' : ` of ${window}`}`,
    as_of: turn === 'before' ? 'the turn before this one' : null,
  });

const actionText = ({ command, note }: WakeMessage['actions'][number]): string =>
  note ? `# ${oneLine(note)}\n${command}` : command;

/** Open requests that a message lists; the rest is counted. */
const othersListed = 20;

const othersOf = (
  { requests }: Folded,
  own: number | null,
  mask: (text: string) => string,
): WakeMessage['others'] =>
  requests
    .filter(({ id }) => id !== own)
    .map(({ id, line, agent }) => ({ id, line: mask(line), agent: agent && mask(agent) }));

const othersText = (others: WakeMessage['others']): string => {
  const rows = others
    .slice(0, othersListed)
    .map(({ id, line, agent }) => `${id}  ${oneLine(line)}${agent ? ` (subagent ${oneLine(agent)})` : ''}`);
  const more = others.length - rows.length;
  return [...rows, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
};

const maskQuestion = (question: Question, mask: (text: string) => string): Question => ({
  ...question,
  question: mask(question.question),
  header: question.header && mask(question.header),
  options: question.options.map(({ label, description }) => ({
    label: mask(label),
    description: description && mask(description),
  })),
});

const cutContent = (
  { source, text }: Content,
  mask: (text: string) => string,
  most: number,
  rest: string,
): NonNullable<WakeMessage['content']> => {
  const clean = mask(text).trim();
  return { source, text: cutMiddle(clean, most, rest), cut: Buffer.byteLength(clean) > most };
};

/** Where all of it can be read. */
const restOf = ({ source }: Content, wake: Wake, session: Folded): string => {
  const { end } = session.memory;
  if (source === 'last_assistant_message' && end) return eventOf(session, end.evidence.seq);
  if (source === 'tool_input' || source === 'tool_response') return eventOf(session, wake.seq);
  if (source === 'transcript' && session.transcript) return session.transcript;
  return `drover menu ${session.id} snapshot`;
};

/** Content for each of several wakes that share a message. */
export const shareOf = (wakes: number): number => Math.floor(limits.wake.contentBytes / wakes);
