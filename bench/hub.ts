/** Messages over HTTP: how soon they are submitted, and how soon answered beside `claude -p`. */
import { randomUUID } from 'node:crypto';
import type { Receipt } from '../src/contract/hub.ts';
import { openWorld } from '../test/rig/world.ts';
import { median, ms, type Row } from './figures.ts';

const rounds = 15;

export const hubRows = async (): Promise<Row[]> => {
  const world = await openWorld({ version: '2.1.325' });
  try {
    const { url, token } = await world.daemon();
    const ask = async <T>(path: string, body: unknown): Promise<T> => {
      const headers = { Authorization: `Bearer ${token}` };
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as T;
    };
    const id = randomUUID();
    await ask('/sessions?wait=ready', { session_id: id, cwd: world.dir() });
    const send = (wait: string) => ask<Receipt>(`/sessions/${id}/message`, { text: 'SAY hello', wait });
    await send('answered');
    const submitted: number[] = [];
    const answered: number[] = [];
    const headless: number[] = [];
    for (let n = 0; n < rounds; n++) {
      const began = performance.now();
      const { id: message } = await send('submitted');
      submitted.push(performance.now() - began);
      for (let over = false; !over; ) {
        const response = await fetch(`${url}/messages/${message}`, {
          headers: { Authorization: `Bearer ${token}` },
        });
        over = ((await response.json()) as Receipt).status === 'answered';
      }
      answered.push(await timed(() => send('answered')));
      headless.push(await timed(() => world.headless({ prompt: 'SAY hello' })));
    }
    const [soon, warm, cold] = [median(submitted), median(answered), median(headless)];
    return [
      {
        what: `\`message\` with \`wait: submitted\` to an idle prompt, until UserPromptSubmit was seen, median of ${rounds}`,
        target: '<= 400 ms',
        seen: ms(soon),
        met: soon <= 400,
      },
      {
        what: `\`message\` with \`wait: answered\` to a warm session, beside \`claude -p\` of the same prompt, medians of ${rounds} pairs`,
        target: 'faster than `-p`',
        seen: `${ms(warm)} / ${ms(cold)}`,
        met: warm < cold,
      },
    ];
  } finally {
    await world.close();
  }
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};
