/**
 * Parses prompts as scripts: the latest user text states what the model does. The CLI wraps it in reminders, command echoes and
 * tool results, which are removed before the first command word is searched.
 */

interface Block {
  type: string;
  text?: string;
  name?: string;
  content?: string | Block[];
}

/** What the CLI posts to /v1/messages, as far as the script reads it. */
export interface MessagesBody {
  model?: string;
  stream?: boolean;
  system?: string | Block[];
  tools?: { name: string; input_schema?: { properties?: Record<string, unknown> } }[];
  messages: { role: string; content: string | Block[] }[];
  /** The checks that the CLI wants from the server: in auto mode `dangerous_tool_use`. */
  safeguards?: { type: string }[];
}

interface ToolCall {
  name: string;
  input: Record<string, unknown>;
  /** Without it: the verdict of the model. */
  verdict?: Verdict;
}

/** What the check of auto mode says about a call: allowed, flagged with this explanation, or nothing, as behind a proxy that drops it. */
export type Verdict = 'not flagged' | 'none' | { flagged: string };

export type Reply =
  /** `stop`: the stop reason, `end_turn` where it is missing. */
  | { kind: 'text'; text: string; stop?: string }
  | { kind: 'stream'; lines: number }
  | { kind: 'tools'; calls: ToolCall[]; before?: string }
  /** `once`: the same words fail only the first time. */
  | { kind: 'fail'; status: number; once?: string }
  /** The quota of the account is used up. */
  | { kind: 'limit' };

/** What the model answers, after `sleep` ms, with `tokens` as the input it claims to have read. */
export interface Step {
  sleep: number;
  tokens: number | null;
  reply: Reply;
}

const WORD =
  /^[ \t]*((?:SAY|RUN|TIMES|BG|ASK2?|TICK|PLAN|WRITE|READ|FETCH|TOGETHER|AGENT|MCP|TOOL|SLEEP|LINGER|QUOTE|TOKENS|NOTE|FLAGGED|CLEARED|UNCHECKED|STREAM|CUT|FAIL|FLAKY|LIMIT)\b[\s\S]*)/m;
const WRAPPED = /<(system-reminder|local-command-[a-z]+|command-[a-z]+|bash-[a-z]+)>[\s\S]*?<\/\1>/g;
/** The marks around a long paste, from 2.1.328 on. */
const PASTED = /\n?<\/?pasted_content\b[^>]*>\n?/g;
/** Text that was typed while a tool ran: sent beside the tool's result, as a user or a system message. */
const QUEUED =
  /^The user sent a new message while you were working:\n([\s\S]*?)\n\n(?:IMPORTANT:|This is how)/;

/** The tools of a main or sub agent; title and summary requests bring fewer. */
export const isTurn = (body: MessagesBody): boolean => (body.tools?.length ?? 0) >= 3;

/** The latest text that a story wrote, or null when there is nothing new but tool results. */
export function promptOf(body: MessagesBody): string | null {
  const start = body.messages.findLastIndex(message => message.role === 'user');
  const texts = body.messages.slice(Math.max(start, 0)).flatMap(textsOf);
  return texts.findLast(text => WORD.test(text)) ?? texts.findLast(text => text !== '') ?? null;
}

function textsOf({ role, content }: MessagesBody['messages'][number]): string[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const news = blocks.slice(blocks.findLastIndex(block => block.type === 'tool_result') + 1);
  return news.flatMap(({ text = '' }) => {
    const queued = QUEUED.exec(text)?.[1];
    if (queued !== undefined) return [queued];
    return role === 'user' ? [text.replace(WRAPPED, '').replace(PASTED, '').trim()] : [];
  });
}

/** The step that a request asks for. */
export function stepFor(body: MessagesBody): Step {
  if (!isTurn(body)) return { sleep: 0, tokens: null, reply: { kind: 'text', text: titleFor(body) } };
  const prompt = promptOf(body);
  const script = prompt === null ? undefined : WORD.exec(prompt)?.[1];
  if (script === undefined)
    return {
      sleep: delayOfResult(body),
      tokens: null,
      reply: nextRepeat(body) ?? cutAgain(body) ?? { kind: 'text', text: lastResult(body) ?? 'done' },
    };
  return parse(script, body, { sleep: 0, tokens: null });
}

/** A title only where the prompt asks for it: elsewhere sessions are shown by their project. */
const titleFor = (body: MessagesBody): string =>
  body.messages.flatMap(message => allTexts(message)).some(text => text.includes('(titled)'))
    ? '{"title":"A story"}'
    : 'no title';

/** How long the answer to a tool result takes, as the script that called the tool says. */
function delayOfResult(body: MessagesBody): number {
  const texts = body.messages.flatMap(message => allTexts(message)).join('\n');
  return Number([...texts.matchAll(/\bLINGER (\d+)/g)].at(-1)?.[1] ?? 0);
}

/** What the last tool returned, where the last script says `QUOTE`. */
function lastResult(body: MessagesBody): string | undefined {
  const scripts = body.messages.flatMap(message => allTexts(message)).filter(text => WORD.test(text));
  if (!/^[ \t]*QUOTE\b/m.test(scripts.at(-1) ?? '')) return undefined;
  const results = body.messages
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter(({ type }) => type === 'tool_result');
  const content = results.at(-1)?.content ?? '';
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}

/** The next call of `TIMES n cmd`, while fewer than n results have come. */
function nextRepeat(body: MessagesBody): Reply | undefined {
  const start = body.messages.findLastIndex(message => allTexts(message).some(text => WORD.test(text)));
  const script = allTexts(body.messages[start] ?? { role: '', content: '' }).find(text => WORD.test(text));
  const [, times = 0, command = ''] = /\bTIMES (\d+) (.*)$/m.exec(script ?? '') ?? [];
  const results = body.messages
    .slice(start + 1)
    .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
    .filter(({ type }) => type === 'tool_result').length;
  if (results >= Number(times)) return undefined;
  return judged(runs(`${command}-${results + 1}`), verdictOf(script ?? ''));
}

/** What a script says about the verdict on the calls that it repeats. */
function verdictOf(script: string): Verdict | undefined {
  const why = /\bFLAGGED ([\s\S]*?) THEN /.exec(script)?.[1];
  if (why !== undefined) return { flagged: why };
  if (/\bUNCHECKED\b/.test(script)) return 'none';
  return /\bCLEARED\b/.test(script) ? 'not flagged' : undefined;
}

/** The same calls with this verdict, except those that have one of their own. */
function judged(reply: Reply, verdict: Verdict | undefined): Reply {
  if (reply.kind !== 'tools' || verdict === undefined) return reply;
  return { ...reply, calls: reply.calls.map(call => ({ verdict, ...call })) };
}

/** The CLI asks to continue an answer that was cut: it is cut again. */
function cutAgain(body: MessagesBody): Reply | undefined {
  const last = body.messages.flatMap(message => allTexts(message)).findLast(text => WORD.test(text));
  const script = WORD.exec(last ?? '')?.[1] ?? '';
  return script.startsWith('CUT ') ? replyFor('CUT', script.slice(4), body) : undefined;
}

const runs = (command: string): Reply => ({
  kind: 'tools',
  calls: [{ name: 'Bash', input: { command, description: 'Run what the story asks' } }],
});

const allTexts = ({ role, content }: MessagesBody['messages'][number]): string[] =>
  role !== 'user' ? [] : typeof content === 'string' ? [content] : content.flatMap(({ text = '' }) => [text]);

function parse(script: string, body: MessagesBody, before: Omit<Step, 'reply'>): Step {
  const [, word = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(script) ?? [];
  const [, number = '', tail = ''] = /^(\d+)\s*([\s\S]*)$/.exec(rest) ?? [];
  if (word === 'SLEEP') return parse(tail || 'SAY slept', body, { ...before, sleep: Number(number) });
  if (word === 'LINGER') return parse(tail || 'SAY lingered', body, before);
  if (word === 'QUOTE') return parse(rest || 'SAY quoted', body, before);
  if (word === 'TOKENS') return parse(tail || 'SAY counted', body, { ...before, tokens: Number(number) });
  if (word === 'NOTE') return noted(rest, body, before);
  if (word === 'FLAGGED') return flagged(rest, body, before);
  if (word === 'CLEARED' || word === 'UNCHECKED') {
    const step = parse(rest || 'SAY judged', body, before);
    return { ...step, reply: judged(step.reply, word === 'CLEARED' ? 'not flagged' : 'none') };
  }
  return { ...before, reply: replyFor(word, rest.trim(), body) };
}

/** `NOTE words THEN script`: the words stand before the tool calls of the same answer. */
function noted(rest: string, body: MessagesBody, before: Omit<Step, 'reply'>): Step {
  const [, words = rest, script = 'SAY noted'] = /^([\s\S]*?) THEN ([\s\S]*)$/.exec(rest) ?? [];
  const step = parse(script, body, before);
  return step.reply.kind === 'tools' ? { ...step, reply: { ...step.reply, before: words } } : step;
}

/** `FLAGGED why THEN script`: the check of auto mode flags the calls, with this explanation. */
function flagged(rest: string, body: MessagesBody, before: Omit<Step, 'reply'>): Step {
  const [, why = rest, script = 'SAY flagged'] = /^([\s\S]*?) THEN ([\s\S]*)$/.exec(rest) ?? [];
  const step = parse(script, body, before);
  return { ...step, reply: judged(step.reply, { flagged: why }) };
}

function replyFor(word: string, rest: string, body: MessagesBody): Reply {
  const tool = (name: string, input: Record<string, unknown>): Reply => ({
    kind: 'tools',
    calls: [{ name, input }],
  });
  switch (word) {
    case 'RUN':
      return runs(rest);
    case 'TIMES':
      return runs(`${rest.replace(/^\d+ /, '')}-1`);
    case 'BG':
      return tool('Bash', {
        command: rest,
        description: 'Run it in the background',
        run_in_background: true,
      });
    case 'ASK':
      return tool('AskUserQuestion', { questions: questions.slice(0, 1) });
    case 'ASK2':
      return tool('AskUserQuestion', { questions });
    case 'TICK':
      return tool('AskUserQuestion', { questions: questions.slice(1) });
    case 'PLAN':
      return plan(rest || '# The plan\n\n1. Write the story\n2. Run it', body);
    case 'READ':
      return tool('Read', { file_path: rest });
    case 'WRITE': {
      const [, path = '', text = ''] = /^(\S+)\s*([\s\S]*)$/.exec(rest) ?? [];
      return tool('Write', { file_path: path, content: text });
    }
    case 'FETCH': {
      const [, url = '', prompt = ''] = /^(\S+)\s*([\s\S]*)$/.exec(rest) ?? [];
      return tool('WebFetch', { url, prompt: prompt || 'Say what it says' });
    }
    case 'TOGETHER':
      return together(rest, body);
    case 'AGENT':
      return agent(rest, body);
    case 'MCP': {
      const [server = '', name = ''] = rest.split(/\s+/);
      return tool(`mcp__${server}__${name}`, {});
    }
    case 'TOOL': {
      const [, name = '', input = '{}'] = /^(\S+)\s*([\s\S]*)$/.exec(rest) ?? [];
      return tool(name, JSON.parse(input));
    }
    case 'STREAM':
      return { kind: 'stream', lines: Number(rest) || 10 };
    case 'CUT': {
      const [, stop = '', text = ''] = /^(\S+)\s*([\s\S]*)$/.exec(rest) ?? [];
      return { kind: 'text', text, stop };
    }
    case 'FAIL':
      return { kind: 'fail', status: Number(rest) || 400 };
    case 'LIMIT':
      return { kind: 'limit' };
    case 'FLAKY':
      return { kind: 'fail', status: Number(/^\d+/.exec(rest)?.[0] ?? 529), once: rest };
    default:
      return { kind: 'text', text: rest || 'said' };
  }
}

/** `TOGETHER script ;; script`: the tool calls of all scripts in one answer. `TOGETHER 25 x script`: one script 25 times, # is its number. */
function together(rest: string, body: MessagesBody): Reply {
  const [, times, repeated = ''] = /^(\d+) x ([\s\S]*)$/.exec(rest) ?? [];
  const scripts =
    times === undefined
      ? rest.split(/\s*;;\s*/)
      : Array.from({ length: Number(times) }, (_, n) => repeated.replaceAll('#', String(n + 1)));
  const replies = scripts.map(script => parse(script, body, { sleep: 0, tokens: null }).reply);
  return { kind: 'tools', calls: replies.flatMap(reply => (reply.kind === 'tools' ? reply.calls : [])) };
}

function agent(prompt: string, body: MessagesBody): Reply {
  const tool = body.tools?.find(({ name }) => name === 'Agent' || name === 'Task');
  if (!tool) return { kind: 'text', text: 'there is no agent tool' };
  const foreground = tool.input_schema?.properties?.run_in_background ? { run_in_background: false } : {};
  const input = { description: 'Do one thing', prompt, subagent_type: 'general-purpose', ...foreground };
  return { kind: 'tools', calls: [{ name: tool.name, input }] };
}

/** In plan mode the CLI names a file. The plan is its content when ExitPlanMode is called. */
function plan(text: string, body: MessagesBody): Reply {
  const file = /[^\s"'`\\]+\/plans\/[^\s"'`\\]+\.md/.exec(JSON.stringify(body.messages))?.[0];
  const write = file === undefined ? [] : [{ name: 'Write', input: { file_path: file, content: text } }];
  return { kind: 'tools', calls: [...write, { name: 'ExitPlanMode', input: { plan: text } }] };
}

/** What ASK (the first), TICK (the second) and ASK2 (both) ask the user. */
const questions = [
  {
    question: 'Which size?',
    header: 'Size',
    multiSelect: false,
    options: [
      { label: 'Small', description: 'Fits in a pocket' },
      { label: 'Large', description: 'Fits in a cart' },
    ],
  },
  {
    question: 'Which extras?',
    header: 'Extras',
    multiSelect: true,
    options: [
      { label: 'Nuts', description: 'Roasted' },
      { label: 'Milk', description: 'Cold' },
    ],
  },
];
