/** Wake format v2: the same facts as text with sections, for a model to read, and as an object, for a program. */
import type { Folded } from '../session/memory.ts';
import type { Question } from '../contract/session.ts';
import type { Pressure, Wake, WakeAgent, WakeMessage, WakeParcel } from '../contract/wake.ts';
import { limits } from '../limits.ts';
import { actionsOf } from './actions.ts';
import type { Content, Told } from './content.ts';
import { hintOf } from './hint.ts';
import { pressureOf } from './pressure.ts';

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
    },
    content: told.content && cutContent(told.content, mask, most, restOf(told.content, wake, session)),
    questions: told.questions && told.questions.map(question => maskQuestion(question, mask)),
    state: hintOf(session, wake.trigger),
    pressure: ended
      ? null
      : pressureOf(told.context, agent.settings.context_pressure_threshold, told.counted),
    actions: actionsOf(session, wake.trigger, writing.driven ?? true).map(({ command, note }) => ({
      command,
      note: masked(note),
    })),
  };
};

export const textOf = (message: WakeMessage): string => {
  const { identity, trigger, content, questions, state, pressure, actions, wake } = message;
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
      }),
    ],
    ...(content ? [['CONTENT', `source: ${content.source}\n${indented(content.text)}`]] : []),
    ...(questions ? [['ASK USER QUESTION', questions.map(questionText).join('\n\n')]] : []),
    ['STATE HINT', `state: ${state}`],
    ...(pressure ? [['CONTEXT PRESSURE', pressureText(pressure)]] : []),
    ...(actions.length ? [['AVAILABLE ACTIONS', actions.map(actionText).join('\n')]] : []),
  ];
  return `${sections.map(([name, body]) => `[${name}]\n${body}`).join('\n\n')}\n`;
};

/** Everything an agent gets at once, as text. */
export const parcelText = ({ digest, test, wakes, agent_id: agent }: WakeParcel): string => {
  if (test) return `[SESSION IDENTITY]\nagent_id: ${agent}\n\n[TRIGGER]\ntype: test\n`;
  return digest ? digestText(wakes, agent) : wakes.map(textOf).join('\n');
};

/** No more than so many bytes, with a way to the rest. */
export const capped = (text: string, most: number, agent: string): string => {
  if (Buffer.byteLength(text) <= most) return text;
  const way = `\n[CUT] the rest: drover wake log --agent ${JSON.stringify(agent)}\n`;
  return headOf(text, most - Buffer.byteLength(way)) + way;
};

const digestText = (wakes: WakeMessage[], agent: string): string => {
  const sessions = new Set(wakes.map(({ identity }) => identity.session));
  const rows = wakes.slice(0, digestRows).map(({ identity, trigger, state, content }) => {
    const line = content ? `  ${indented(headOf(content.text.replace(/\s+/g, ' '), 120))}` : '';
    return `${identity.session}  ${identity.project ?? '-'}  type: ${trigger.type}  state: ${state}${line}`;
  });
  const hops = Math.min(...wakes.map(({ trigger }) => trigger.hops));
  const more = wakes.length > rows.length ? [`and ${wakes.length - rows.length} more`] : [];
  return [
    `[WAKE DIGEST]\nagent_id: ${agent}\n${wakes.length} wakes of ${sessions.size} sessions at once${hops > 0 ? `\nhops: ${hops}` : ''}`,
    `[WAKES]\n${[...rows, ...more].join('\n')}`,
    `[AVAILABLE ACTIONS]\ndrover wake log --agent ${JSON.stringify(agent)}\ndrover ls --waiting\n`,
  ].join('\n\n');
};

/** Lines of a digest: 32 KB hold them. */
const digestRows = 100;

const fields = (values: Record<string, string | null>): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value.replace(/\n/g, ' ')}`]))
    .join('\n');

/** Nothing that was said can pass for a section of the message. */
const indented = (text: string): string => text.replace(/^(?=\[[A-Z][A-Z ]*\])/gm, ' ');

const questionText = ({ question, header, multiSelect, options }: Question, n: number): string =>
  [
    `${n + 1}. ${question.replace(/\n/g, ' ')}`,
    ...(header ? [`header: ${header}`] : []),
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
  note ? `# ${note.replace(/\s+/g, ' ')}\n${command}` : command;

const maskQuestion = (question: Question, mask: (text: string) => string): Question => ({
  ...question,
  question: mask(question.question),
  header: question.header && mask(question.header),
  options: question.options.map(({ label, description }) => ({
    label: mask(label),
    description: description && mask(description),
  })),
});

/** The beginning and the end of what was said: what it was about, and what it came to. */
const cutContent = (
  { source, text }: Content,
  mask: (text: string) => string,
  most: number,
  rest: string,
): NonNullable<WakeMessage['content']> => {
  const clean = mask(text).trim();
  const bytes = Buffer.byteLength(clean);
  if (bytes <= most) return { source, text: clean, cut: false };
  const head = headOf(clean, Math.floor(most / 4));
  const tail = tailOf(clean, most - Math.floor(most / 4));
  const left = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return { source, text: `${head}\n(… ${left} bytes left out; all of it: ${rest} …)\n${tail}`, cut: true };
};

/** Where all of it can be read. */
const restOf = ({ source }: Content, wake: Wake, session: Folded): string => {
  const { end } = session.memory;
  if (source === 'last_assistant_message' && end)
    return `drover events ${session.id} --after ${end.evidence.seq - 1} --json`;
  if (source === 'tool_input' || source === 'tool_response')
    return `drover events ${session.id} --after ${wake.seq - 1} --json`;
  if (source === 'transcript' && session.transcript) return session.transcript;
  return `drover menu ${session.id} snapshot`;
};

const headOf = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(0, Math.max(0, bytes))).replace(/\uFFFD+$/, '');

const tailOf = (text: string, bytes: number): string =>
  new TextDecoder().decode(Buffer.from(text).subarray(-bytes)).replace(/^\uFFFD+/, '');

/** Text that a terminal and a command line can take: no escape sequences, no other control characters. */
const plain = (text: string): string =>
  text.replace(/\x1b\[[\d;:?]*[ -/]*[@-~]/g, '').replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '');

/** Content for each of several wakes that share a message. */
export const shareOf = (wakes: number): number => Math.floor(limits.wakeContent / wakes);
