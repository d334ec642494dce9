/** Wake format v2: the same facts as text with sections for a model, and as an object for a program. */
import type { Folded } from '../../session/memory.ts';
import type { Question } from '../../contract/session.ts';
import type { Pressure, Wake, WakeAgent, WakeMessage, WakeBundle } from '../../contract/wake.ts';
import { limits } from '../../limits.ts';
import { quote } from '../../quote.ts';
import { actionsOf } from './actions.ts';
import type { Content, WakeFacts } from './content.ts';
import { firstBytes, indented, lastBytes, oneLine, stripControls, truncateMiddle } from './truncate.ts';
import { stateHint } from './state-hint.ts';
import { pressureOf } from './pressure.ts';
import { isAnswerable } from './wake-request.ts';

export interface MessageOptions {
  agent: WakeAgent;
  now: number;
  /** Longer content is shortened in the middle. */
  maxBytes: number;
  /** False when Drover may not type into the session. */
  driven?: boolean;
  /** Removes secrets. */
  mask: (text: string) => string;
}

export const buildMessage = (
  wake: Wake,
  session: Folded,
  facts: WakeFacts,
  options: MessageOptions,
): WakeMessage => {
  const { agent, now, maxBytes } = options;
  const mask = (text: string) => stripControls(options.mask(text));
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
      title: session.titleFrom === 'project' ? null : masked(session.title),
      branch: masked(session.branch),
      directory: masked(session.cwd ?? session.dir),
      timestamp: new Date(now).toISOString(),
    },
    trigger: {
      type: wake.trigger,
      continuation: wake.continuation,
      overtaken: facts.overtaken,
      hops: wake.hops,
      reason: ended ? session.reason : null,
      next: ended ? session.next : null,
      request: facts.request?.id ?? null,
    },
    all: eventOf(session, wake.seq),
    content:
      facts.content && truncateContent(facts.content, mask, maxBytes, mask(restOf(facts, wake, session))),
    pane: facts.pane === null ? null : paneOf(mask(facts.pane), maxBytes),
    questions: facts.questions && facts.questions.map(question => maskQuestion(question, mask)),
    others: facts.request ? otherRequests(session, facts.request.id, mask) : [],
    state: stateHint(session, wake.trigger),
    pressure: ended
      ? null
      : pressureOf(facts.context, agent.settings.context_pressure_threshold, facts.isCurrentUse),
    actions: actionsOf(session, {
      trigger: wake.trigger,
      request: facts.request,
      isAnswerable: isAnswerable(session, facts.request?.id ?? null),
      driven: options.driven ?? true,
      mask,
    }).map(({ command, note }) => ({
      command,
      note: note && firstBytes(mask(note), noteBytes),
    })),
  };
};

/** Render a message as text. Questions over `maxBytes` are shortened; the object has them complete. */
export const messageText = (message: WakeMessage, maxBytes: number = limits.wake.contentBytes): string => {
  const { identity, trigger, all, content, pane, questions, others, state, pressure, actions, wake } =
    message;
  const sections = [
    ['SESSION IDENTITY', fields({ ...identity, wake })],
    [
      'TRIGGER',
      fields({
        type: trigger.type,
        continuation: trigger.continuation ? 'true' : null,
        overtaken: trigger.overtaken ? 'true' : null,
        hops: trigger.hops > 0 ? String(trigger.hops) : null,
        reason: trigger.reason,
        next: trigger.next,
        request: trigger.request === null ? null : String(trigger.request),
      }),
    ],
    ...(content ? [['CONTENT', `source: ${content.source}\n${indented(content.text)}`]] : []),
    ...(pane ? [['PANE CONTENT', indented(pane.text)]] : []),
    ...(questions
      ? [['ASK USER QUESTION', truncateMiddle(questions.map(questionText).join('\n\n'), maxBytes, all)]]
      : []),
    ...(others.length ? [['OTHER OPEN REQUESTS', othersText(others)]] : []),
    ['STATE HINT', `state: ${state}`],
    ...(pressure ? [['CONTEXT PRESSURE', pressureText(pressure)]] : []),
    ...(actions.length ? [['AVAILABLE ACTIONS', actions.map(actionText).join('\n')]] : []),
  ];
  return `${sections.map(([name, body]) => `[${name}]\n${body}`).join('\n\n')}\n`;
};

/** Render a bundle as text. */
export const bundleText = ({ digest, test, wakes, agent_id: agent }: WakeBundle): string => {
  if (test) return `[SESSION IDENTITY]\nagent_id: ${agent}\n\n[TRIGGER]\ntype: test\n`;
  if (digest) return digestText(wakes, agent);
  return wakes.map(message => messageText(message, shareOf(wakes.length))).join('\n');
};

/** Cut the text of a bundle to at most `maxBytes`, with the command that prints the rest. */
export const truncatedBundleText = (
  bundle: WakeBundle,
  maxBytes: number,
  text: string = bundleText(bundle),
): string => {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const { digest, wakes, agent_id: agent } = bundle;
  const rest = digest ? logOf(agent, wakes.length) : wakes.map(({ all }) => all).join('; ');
  const footer = `\n[CUT] the rest: ${rest}\n`;
  return firstBytes(text, maxBytes - Buffer.byteLength(footer)) + footer;
};

const digestText = (wakes: WakeMessage[], agent: string): string => {
  const sessions = new Set(wakes.map(({ identity }) => identity.session));
  const rows = wakes.slice(0, digestRows).map(({ identity, trigger, state, content }) => {
    const line = content ? `  ${firstBytes(oneLine(content.text), 120)}` : '';
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

/** Rows of a digest: this many fit into 32 KB. */
const digestRows = 100;

/** Longest note of an action, so that it stays on one line. */
const noteBytes = 200;

/** The command that lists the wakes of a digest: `drover wake log` shows up to 1,000. */
const logOf = (agent: string, wakes: number): string =>
  `drover wake log --agent ${quote(agent)} --last ${Math.min(wakes, 1_000)}`;

/** The command that prints a complete event. */
const eventOf = ({ id }: Folded, seq: number): string => `drover events ${id} --after ${seq - 1} --json`;

const fields = (values: Record<string, string | null>): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value.replace(/\n/g, ' ')}`]))
    .join('\n');

const questionText = ({ question, header, multiSelect, options }: Question, n: number): string =>
  [
    `${n + 1}. ${question.replace(/\n/g, ' ')}`,
    ...(header ? [`header: ${header.replace(/\n/g, ' ')}`] : []),
    `multi_select: ${multiSelect}`,
    ...options.map(({ label, description }, index) =>
      `  ${index + 1}) ${label}${description ? ` - ${description}` : ''}`.replace(/\n/g, ' '),
    ),
  ].join('\n');

const pressureText = ({ level, percent, tokens, window, assumed, turn }: Pressure): string =>
  fields({
    level,
    percent: percent === null ? null : String(percent),
    tokens: tokens === null ? null : `${tokens}${window === null ? '' : ` of ${window}`}`,
    window: assumed ? 'assumed' : null,
    as_of: turn === 'before' ? 'the turn before this one' : null,
  });

const actionText = ({ command, note }: WakeMessage['actions'][number]): string =>
  note ? `# ${oneLine(note)}\n${command}` : command;

/** Open requests listed in a message; the others are only counted. */
const maxOthers = 20;

const otherRequests = (
  { requests }: Folded,
  own: number | null,
  mask: (text: string) => string,
): WakeMessage['others'] =>
  requests
    .filter(({ id }) => id !== own)
    .map(({ id, line, agent }) => ({ id, line: mask(line), agent: agent && mask(agent) }));

const othersText = (others: WakeMessage['others']): string => {
  const rows = others
    .slice(0, maxOthers)
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

/** Shorten the text of a pane: its end is what counts. `share` is that of the content. */
const paneOf = (text: string, share: number): NonNullable<WakeMessage['pane']> => {
  const maxBytes = Math.floor((limits.wake.paneBytes * share) / limits.wake.contentBytes);
  return { text: lastBytes(text, maxBytes), cut: Buffer.byteLength(text) > maxBytes };
};

const truncateContent = (
  { source, text }: Content,
  mask: (text: string) => string,
  maxBytes: number,
  rest: string,
): NonNullable<WakeMessage['content']> => {
  const clean = mask(text).trim();
  if (source === 'pane_diff' || source === 'raw_pane_tail') return { source, ...paneOf(clean, maxBytes) };
  return { source, text: truncateMiddle(clean, maxBytes, rest), cut: Buffer.byteLength(clean) > maxBytes };
};

/** The command or file that has the complete content. */
const restOf = ({ content, overtaken }: WakeFacts, wake: Wake, session: Folded): string => {
  const { end } = session.memory;
  const source = content?.source;
  if (overtaken) return eventOf(session, wake.seq);
  if (source === 'last_assistant_message' && end) return eventOf(session, end.evidence.seq);
  if (source === 'tool_input' || source === 'tool_response') return eventOf(session, wake.seq);
  if (source === 'transcript' && session.transcript) return session.transcript;
  return `drover menu ${session.id} snapshot`;
};

/** Content bytes for each of several wakes in one bundle. */
export const shareOf = (wakes: number): number => Math.floor(limits.wake.contentBytes / wakes);
