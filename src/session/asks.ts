/** What stands on the screen of a session and wants an answer. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import { textDetail, toolDetail, toolName } from './detail.ts';
import { evidenceOf } from './evidence.ts';
import type { Ask, Memory } from './memory.ts';

const asksAtMost = 20;

export const ask = (memory: Memory, asked: Ask): void => {
  const { at } = asked.evidence;
  // Answered before it arrived, or told twice.
  if (memory.answered && at <= memory.answered.at) return;
  if (memory.asks.some(other => isSame(other, asked) && other.evidence.at === at)) return;
  memory.asks = [...memory.asks, asked].slice(-asksAtMost);
};

const isSame = (a: Ask, b: Ask): boolean =>
  a.tool === b.tool && a.agent === b.agent && a.detail.line === b.detail.line;

/** Takes away what this event says is answered. */
export const answer = (memory: Memory, event: Event, gone: (ask: Ask) => boolean): void => {
  if (memory.asks.length === 0) return;
  const left = memory.asks.filter(one => !gone(one));
  if (left.length === memory.asks.length) return;
  memory.asks = left;
  if (!memory.answered || memory.answered.at <= event.at) memory.answered = evidenceOf(event);
};

/** The turn is over, or another began: what it asked is gone. A subagent goes on, and so does what it asks. */
export const dropAsks = (memory: Memory, at: number): void => {
  if (memory.asks.length === 0) return;
  memory.asks = memory.asks.filter(({ agent, evidence }) => agent !== null || evidence.at > at);
};

/** The oldest ask that the result of a tool answers. */
export const askedBefore = (asks: Ask[], hook: Hook, agent: string | null, at: number): Ask | undefined => {
  if (asks.length === 0) return undefined;
  const tool = toolName(hook);
  const { line } = toolDetail(hook);
  const fits = (one: Ask) => one.tool === tool && one.agent === agent && one.evidence.at <= at;
  return asks.find(one => fits(one) && one.detail.line === line) ?? asks.find(fits);
};

/** A dialog of a start: there is one at a time. */
export const hearScreen = (memory: Memory, event: Event, hook: Hook): void => {
  memory.asks = [
    {
      kind: 'dialog',
      tool: null,
      agent: null,
      detail: textDetail(hook.message) ?? toolDetail(hook),
      evidence: evidenceOf(event),
    },
  ];
};
