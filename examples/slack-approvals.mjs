// Asks for permissions in a Slack channel: a message with Allow and Deny for each request, and who answered it.
//
//   SLACK_BOT_TOKEN=xoxb-… SLACK_SIGNING_SECRET=… SLACK_CHANNEL=C… SLACK_USERS=U1,U2 node examples/slack-approvals.mjs
//
// Create an app with the scope chat:write, invite it to the channel, and let the request URL of "Interactivity" lead to this
// program (PORT, by default 4010, on 127.0.0.1: put a tunnel with TLS in front). Only SLACK_USERS may answer. For a daemon on
// another machine set DROVER_URL and DROVER_TOKEN (`drover token add slack --scope read,answer`).
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { connect } from 'drover/client';

const { env } = process;
for (const name of ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'SLACK_CHANNEL', 'SLACK_USERS'])
  if (!env[name]) {
    console.error(`${name} is not set.`);
    process.exit(2);
  }
const api = env.SLACK_API ?? 'https://slack.com/api';
const users = new Set(env.SLACK_USERS.split(','));
const drover = connect(env.DROVER_URL ? { url: env.DROVER_URL, token: env.DROVER_TOKEN } : {});
/** Characters of a request in a message; Slack takes 3,000 in a section. */
const longest = 2_500;
/** Messages about open requests, by session and request. */
const messages = new Map();

const server = createServer((request, response) => {
  let body = '';
  request.on('data', chunk => (body += chunk));
  request.on('end', () => {
    const isSigned = isFromSlack(request.headers, body);
    // Slack wants an answer within three seconds; the rest is done afterwards.
    response.writeHead(isSigned ? 200 : 401).end();
    if (isSigned) void onClick(JSON.parse(new URLSearchParams(body).get('payload') ?? '{}')).catch(report);
  });
});
server.listen(Number(env.PORT ?? 4010), '127.0.0.1', () =>
  console.log(`listening on ${server.address().port}`),
);

for await (const frame of drover.events()) {
  if (frame.event !== 'state') continue;
  for (const session of frame.sessions) void follow(session).catch(report);
}

/** Posts new requests of a session, and marks those that are gone. */
async function follow({ id, title, project, requests }) {
  const open = requests.filter(({ kind }) => kind === 'permission');
  for (const request of open) {
    const key = `${id} ${request.id}`;
    if (messages.has(key)) continue;
    messages.set(key, null);
    const { isComplete, shown } = await textOf(id, request);
    const who = escaped(title ?? project ?? id.slice(0, 8));
    const text = `*${who}* asks for permission:\n${shown}`;
    // Nobody can allow what is not shown in full.
    const blocks = [section(text), buttons(key, isComplete)];
    const { ts } = await slack('chat.postMessage', { text, blocks }).catch(error => {
      // The next change of the session tries again.
      messages.delete(key);
      throw error;
    });
    messages.set(key, { ts, text, isComplete });
  }
  for (const [key, message] of messages) {
    const [session, request] = key.split(' ');
    if (session !== id || message === null || open.some(one => String(one.id) === request)) continue;
    messages.delete(key);
    await show(message, message.by ?? 'Answered elsewhere.');
  }
}

/** The complete input of a request, or as much of it as fits into a message. */
async function textOf(id, { id: request, tool, line }) {
  const { input = null } = (await drover.session(id)).requests.find(one => one.id === request) ?? {};
  if (input === null) return { isComplete: false, shown: escaped(line) };
  const { command } = input;
  const others = Object.keys(input).filter(name => name !== 'command' && name !== 'description');
  const isCommand = typeof command === 'string' && others.length === 0;
  const whole = `${tool ?? 'A tool'}: ${isCommand ? command : JSON.stringify(input, null, 1)}`;
  // Characters without a shape could hide text or turn it around.
  const isPlain = !/[^\P{C}\n]/u.test(whole);
  const shown = escaped(whole);
  const isComplete = isPlain && shown.length <= longest;
  return {
    isComplete,
    shown: isComplete ? shown : `${shown.slice(0, longest)} … (open Drover to read all of it)`,
  };
}

async function onClick({ user, actions: [action] = [] }) {
  const [id, request, behavior] = action?.value?.split(' ') ?? [];
  const message = messages.get(`${id} ${request}`);
  if (behavior === 'allow' && !message?.isComplete) return;
  if (!message || !users.has(user?.id) || (behavior !== 'allow' && behavior !== 'deny')) return;
  // The id makes sure that exactly this request is answered, and not the one after it.
  message.by = `${behavior === 'allow' ? 'Allowed' : 'Denied'} by <@${user.id}>.`;
  await drover.answer(id, { id: Number(request), behavior }).catch(error => {
    message.by = undefined;
    throw error;
  });
}

function isFromSlack(headers, body) {
  const time = String(headers['x-slack-request-timestamp'] ?? '');
  if (Math.abs(Date.now() / 1000 - Number(time)) > 300) return false;
  const hash = createHmac('sha256', env.SLACK_SIGNING_SECRET).update(`v0:${time}:${body}`).digest('hex');
  const [given, wanted] = [
    Buffer.from(String(headers['x-slack-signature'] ?? '')),
    Buffer.from(`v0=${hash}`),
  ];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function slack(method, body) {
  const response = await fetch(`${api}/${method}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      Authorization: `Bearer ${env.SLACK_BOT_TOKEN}`,
    },
    body: JSON.stringify({ channel: env.SLACK_CHANNEL, ...body }),
  });
  const answer = await response.json();
  if (!answer.ok) throw new Error(`${method}: ${answer.error}`);
  return answer;
}

function show({ ts, text }, outcome) {
  const all = `${text}\n${outcome}`;
  return slack('chat.update', { ts, text: all, blocks: [section(all)] });
}

function section(text) {
  return { type: 'section', text: { type: 'mrkdwn', text } };
}

function buttons(key, isComplete) {
  const button = (label, behavior, style) => ({
    type: 'button',
    action_id: behavior,
    style,
    text: { type: 'plain_text', text: label },
    value: `${key} ${behavior}`,
  });
  return {
    type: 'actions',
    elements: [
      ...(isComplete ? [button('Allow', 'allow', 'primary')] : []),
      button('Deny', 'deny', 'danger'),
    ],
  };
}

/** Text of a session must not become a mention or a link. */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function report(error) {
  console.error(String(error));
}
