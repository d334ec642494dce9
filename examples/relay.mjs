// Posts each waiting session to a webhook and executes its answer.
//
//   node examples/relay.mjs http://127.0.0.1:9000/waiting
//
// The webhook gets {id, reason, project, asks} and may respond with JSON:
//   {"behavior": "allow"} or {"behavior": "deny", "message": "…"}   for a held permission,
//   {"answers": {"Which size?": "Large"}}                            for a held question,
//   {"text": "…"}                                                    a message to a session that has stopped.
// Any other response leaves it to a person.
import { connect } from 'drover/client';

const [webhook] = process.argv.slice(2);
if (!webhook) {
  console.error('usage: node examples/relay.mjs <url>');
  process.exit(2);
}
const drover = connect();
/** Last relayed wait of each session, so that each wait is posted once. */
const told = new Map();

for await (const frame of drover.events()) {
  if (frame.event !== 'state') continue;
  for (const session of frame.sessions) void relay(session).catch(error => console.error(String(error)));
}

async function relay({ id, state, reason, since, project, detail, pending }) {
  const wait = `${since} ${reason} ${pending?.id ?? ''}`;
  if (state !== 'waiting' || told.get(id) === wait) return;
  told.set(id, wait);
  const response = await fetch(webhook, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id, reason, project, asks: detail?.line ?? null, held: pending !== null }),
  });
  const answer = response.headers.get('content-type')?.includes('json') ? await response.json() : {};
  // With the id of what was asked: whoever answers in the terminal meanwhile wins, and the next request is not answered for it.
  if (pending && (answer.behavior || answer.answers)) await drover.answer(id, { ...answer, id: pending.id });
  else if (reason === 'stopped' && answer.text) await drover.send(id, answer.text);
}
