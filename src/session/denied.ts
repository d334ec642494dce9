/** Keeps which tool calls Claude Code denied without asking, for each session and turn. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Denial } from '../contract/session.ts';
import type { EndedRequest, Folded } from './memory.ts';
import { reasonLine, toolDetail } from './request/detail.ts';

/** The event of a denied call. The log keeps its complete input and reason. */
export const deniedName = 'PermissionDenied';

/** Of one turn; the log has the others. */
const maxShown = 3;

/** Applies a hook event: a prompt begins a turn in which nothing has been denied yet. */
export const reduceDenied = (session: Folded, event: Event, hook: Hook): void => {
  const { denied } = session;
  if (event.name === deniedName) add(session, denialOf(event, hook));
  else if (
    event.name === 'UserPromptSubmit' &&
    typeof hook.agent_id !== 'string' &&
    denied &&
    denied.turn > 0
  )
    session.denied = { ...denied, turn: 0, last: [] };
};

/** Counts requests that Claude Code denied since `before`, because nobody answered before their deadline: no hook reports that. */
export const noteDeniedAtDeadline = (session: Folded, before: EndedRequest[]): void => {
  for (const past of session.memory.past)
    if (past.by === 'claude' && !before.includes(past)) {
      const { id, line, at, tool = null } = past;
      add(session, { id, tool, agent: null, line, reason: 'nobody answered in time', at });
    }
};

const add = (session: Folded, denial: Denial): void => {
  const isOfThisTurn = denial.at >= session.memory.prompted;
  const { turn = 0, total = 0, last = [] } = session.denied ?? {};
  session.denied = {
    turn: turn + (isOfThisTurn ? 1 : 0),
    total: total + 1,
    last: isOfThisTurn ? [denial, ...last].slice(0, maxShown) : last,
  };
};

/** Describes a denied call. */
export const denialOf = ({ seq, at }: Pick<Event, 'seq' | 'at'>, hook: Hook): Denial => {
  const { line, tool, agent } = toolDetail(hook);
  return { id: seq, tool, agent, line, reason: reasonLine(hook.reason), at };
};
