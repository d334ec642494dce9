// Waits until a session has finished its work, for a CI job that needs its result.
//
//   node examples/wait-for-session.mjs <session id> [seconds]
//
// Exits with 0 when the session is done, 1 when it failed or ended, 124 after the time (default 1800 s). What it asks for is
// printed, so that the log of the job says whom it waits for. On another machine than the daemon:
//
//   - run: node wait-for-session.mjs ${{ inputs.session }}
//     env:
//       DROVER_URL: https://drover.example
//       DROVER_TOKEN: ${{ secrets.DROVER_TOKEN }}   # drover token add ci --scope read
import { connect } from 'drover/client';

const [wanted, seconds = '1800'] = process.argv.slice(2);
if (!wanted) {
  console.error('usage: node examples/wait-for-session.mjs <session id> [seconds]');
  process.exit(2);
}
const { DROVER_URL: url, DROVER_TOKEN: token } = process.env;
const drover = connect(url ? { url, token } : {});
const { id } = await drover.session(wanted);
setTimeout(() => finish(124, `not done after ${seconds} s`), Number(seconds) * 1000).unref();

let last = '';
for await (const frame of drover.events({ session: id })) {
  if (frame.event === 'end') finish(1, `ended${frame.next ? `, followed by ${frame.next}` : ''}`);
  if (frame.event !== 'state') continue;
  const session = frame.sessions.find(one => one.id === id);
  if (session) look(session);
}

function look({ state, reason, detail }) {
  const line = `${state}${reason ? ` (${reason})` : ''}${detail?.line ? `: ${detail.line}` : ''}`;
  if (line !== last) console.log(line);
  last = line;
  if (state === 'ended') finish(1, 'ended');
  if (state === 'waiting' && reason === 'stopped') finish(0, 'done');
  if (state === 'waiting' && (reason === 'failed' || reason === 'interrupted')) finish(1, reason);
}

function finish(code, line) {
  console.log(line);
  process.exit(code);
}
