/** Many messages to many sessions while the daemon is killed under them: what was lost, and what was typed twice. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Receipt } from '../../src/contract/hub.ts';
import type { Daemon } from '../rig/drover.ts';
import type { World } from '../rig/world.ts';

export interface SoakOptions {
  sessions: number;
  messages: number;
  /** How often the daemon is ended and started again, spread over the run: with -9, and in order, by turns. */
  kills: number;
}

export interface Soaked {
  lost: string[];
  doubled: string[];
  /** Prompts that Claude Code accepted but nobody sent: two in one, or half of one. */
  merged: string[];
  /** Receipts that differ from what happened. */
  untrue: string[];
  receipts: Map<string, Receipt>;
  /** What the log has of the session of a message, around the time it was sent. */
  trail: (text: string) => string[];
  statuses: Record<string, number>;
  /** How long the daemon took to stop, and to be up again, ms. */
  longest: { stop: number; start: number };
  seconds: number;
}

export const soak = async (world: World, { sessions, messages, kills }: SoakOptions): Promise<Soaked> => {
  let daemon: Daemon = await world.daemon();
  const began = performance.now();
  /** Sends requests as a careful program does: if the daemon stops, the request is repeated. */
  const ask = async <T>(method: string, path: string, body?: unknown, key?: string): Promise<T> => {
    for (let tries = 0; ; tries++) {
      try {
        const response = await fetch(`${daemon.url}${path}`, {
          method,
          headers: { Authorization: `Bearer ${daemon.token}`, ...(key && { 'Idempotency-Key': key }) },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const answer = (await response.json()) as T;
        if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
        return answer;
      } catch (error) {
        if (tries > 300 || !/fetch failed|terminated/.test(String(error))) throw error;
        await pauseFor(200);
      }
    }
  };
  const ids: string[] = [];
  while (ids.length < sessions) {
    const few = Array.from({ length: Math.min(4, sessions - ids.length) }, () => randomUUID());
    await Promise.all(
      few.map(id => ask('POST', '/sessions?wait=ready', { session_id: id, cwd: world.dir() }, id)),
    );
    ids.push(...few);
  }
  const texts = Array.from({ length: messages }, (_, n) => `SAY message ${n}`);
  const receipts = new Map<string, Receipt>();
  let done = 0;
  const [stops, starts]: [number[], number[]] = [[], []];
  const send = async (text: string, n: number): Promise<void> => {
    const path = `/sessions/${ids[n % ids.length]}/message`;
    for (;;) {
      const receipt = await ask<Receipt>('POST', path, { text, wait: 'answered', timeout: 600 }, text);
      receipts.set(text, receipt);
      // A daemon that is stopped in order answers with what it knows: who waits for more asks the next one.
      if (!['queued', 'typed', 'submitted'].includes(receipt.status) || receipt.outcome !== null) break;
      await pauseFor(200);
    }
    done++;
  };
  const killing = (async () => {
    for (let kill = 1; kill <= kills; kill++) {
      while (done < (messages * kill) / (kills + 1)) await pauseFor(20);
      const went = performance.now();
      if (kill % 2 === 1) await daemon.kill9();
      else await daemon.stop();
      const left = performance.now();
      daemon = await world.daemon();
      stops.push(Math.round(left - went));
      starts.push(Math.round(performance.now() - left));
    }
  })();
  // Number of messages in progress for each session; a session accepts 100.
  const queue = texts.map((text, n) => ({ text, n }));
  const hand = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) await send(next.text, next.n);
  };
  await Promise.all([killing, ...Array.from({ length: Math.min(messages, sessions * 10) }, hand)]);
  const events = await eventsOf(ask);
  /** Every prompt that Claude Code took, as its hooks told. */
  const prompts = events.filter(isPrompt).map(({ payload }) => (payload.prompt ?? '').trim());
  const times = (text: string) => prompts.filter(prompt => prompt === text).length;
  const statuses: Record<string, number> = {};
  for (const { status } of receipts.values()) statuses[status] = (statuses[status] ?? 0) + 1;
  return {
    lost: texts.filter(text => times(text) === 0),
    doubled: texts.filter(text => times(text) > 1),
    merged: prompts.filter(prompt => !texts.includes(prompt)),
    untrue: texts.filter(text => !isTrue(receipts.get(text), text)),
    receipts,
    trail: text => trailOf(events, receipts.get(text)),
    statuses,
    longest: { stop: Math.max(0, ...stops), start: Math.max(0, ...starts) },
    seconds: Math.round((performance.now() - began) / 1000),
  };
};

/** All were accepted, so each receipt must say so, with the answer to exactly this message. */
const isTrue = (receipt: Receipt | undefined, text: string): boolean =>
  receipt?.status === 'answered' && `SAY ${receipt.answer}` === text && receipt.usage !== null;

interface Logged {
  seq: number;
  at: number;
  source: string;
  name: string;
  sessionId: string | null;
  payload: { prompt?: string; status?: string; text?: string; id?: string };
}

const isPrompt = ({ name }: Logged): boolean => name === 'UserPromptSubmit';

const trailOf = (events: Logged[], receipt: Receipt | undefined): string[] => {
  if (!receipt) return ['it has no receipt'];
  const { sessionId, queuedAt } = receipt;
  return events
    .filter(event => event.sessionId === sessionId && Math.abs(event.at - queuedAt - 30_000) < 60_000)
    .map(({ at, source, name, payload: { prompt, status, text, id } }) =>
      [`${at - queuedAt} ms`, source, name, prompt, status, text, id].filter(Boolean).join(' '),
    );
};

const eventsOf = async (ask: <T>(method: string, path: string) => Promise<T>): Promise<Logged[]> => {
  const found: Logged[] = [];
  for (let after = 0; ; ) {
    const { events } = await ask<{ events: Logged[] }>('GET', `/log?after=${after}`);
    if (events.length === 0) return found;
    found.push(...events);
    after = events.at(-1)?.seq ?? after;
  }
};
