// Sends one prompt to several sessions and prints their answers.
//
//   node examples/fan-out.mjs "what does this project do?" ~/app ~/site …
//
// Starts one session per folder and stops them at the end.
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { connect } from 'drover/client';

const [prompt, ...folders] = process.argv.slice(2);
if (!prompt || folders.length === 0) {
  console.error('usage: node examples/fan-out.mjs <prompt> <folder> …');
  process.exit(2);
}
const drover = connect();

const askIn = async folder => {
  const { id } = await drover.create({ session_id: randomUUID(), cwd: resolve(folder) });
  try {
    const { status, answer, reason } = await drover.send(id, {
      text: prompt,
      wait: 'answered',
      timeout: 600,
    });
    console.log(JSON.stringify({ folder, status, answer, reason }));
    return status === 'answered';
  } finally {
    await drover.stop(id);
  }
};

const done = await Promise.all(folders.map(askIn));
process.exitCode = done.every(Boolean) ? 0 : 1;
