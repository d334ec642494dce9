/** Decides which agents decide on which events: only where the hook waits, and without keeping a session going for ever. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../clock.ts';
import type { Event } from '../../contract/event.ts';
import type { Hook } from '../../contract/hook.ts';
import type { Trigger, WakeAgent } from '../../contract/wake.ts';
import { parseObject } from '../../hook/payload.ts';
import { limits } from '../../limits.ts';
import { requestKind } from '../../session/request/detail.ts';
import type { Folded } from '../../session/memory.ts';
import type { Blocks } from './blocks.ts';
import { destinationOf } from '../deliver/deliver.ts';
import type { Registry } from '../registry/registry.ts';

/** The trigger of a hook that can wait; null for any other. */
export const triggerOf = (name: string, hook: Hook | null): Trigger | null => {
  if (hook === null || (name !== 'PermissionRequest' && typeof hook.agent_id === 'string')) return null;
  if (name === 'Stop') return 'response_complete';
  if (name === 'PreCompact') return 'pre_compact';
  if (name !== 'PermissionRequest') return null;
  const kind = requestKind(hook.tool_name);
  // The hook of a question never waits: `drover answer` and `drover menu ask` answer it.
  return kind === 'question' ? null : kind === 'plan' ? 'plan' : 'permission_prompt';
};

type Agents = Pick<Registry, 'read' | 'agentsOf'>;

/** Whether hooks of this session wait: the answer of one of its agents decides. */
export const awaitsAgent = (registry: Agents, session: Folded): boolean =>
  session.state !== 'ended' && decidingAgentsOf(registry, session).length > 0;

/** The longest time that an agent of this session may take to answer, ms; 0 when none is asked. */
export const maxAnswerTime = (registry: Agents, session: Folded): number =>
  Math.min(
    Math.max(
      0,
      ...decidingAgentsOf(registry, session).map(({ settings }) => settings.answer_seconds * 1_000),
    ),
    limits.clock.longestTimer,
  );

const decidingAgentsOf = (registry: Agents, session: Folded): WakeAgent[] => {
  if (!registry.read().agents.some(isBidirectional)) return [];
  return registry.agentsOf(session).filter(isBidirectional);
};

const deciding: Trigger[] = ['response_complete', 'pre_compact', 'permission_prompt', 'plan'];

export class DecidingAgents {
  /** Whether an agent decides on an event, by event and agent. Determined once. */
  private readonly verdicts = new Map<string, boolean>();

  constructor(
    private readonly registry: Agents,
    private readonly blocks: Blocks,
    private readonly clock: Clock,
    private readonly eventAt: (seq: number) => Event | null,
    /** An empty file for each session whose hooks wait, named by its id. */
    private readonly markers: string,
  ) {}

  /** The agents of a session whose answer decides. */
  of(session: Folded): WakeAgent[] {
    return decidingAgentsOf(this.registry, session);
  }

  /** Whether this agent decides on this event. If so, the outbox leaves its wake out. */
  decides(agent: WakeAgent, session: Folded, trigger: Trigger, seq: number): boolean {
    if (!isBidirectional(agent) || !deciding.includes(trigger) || !agent.settings.triggers[trigger])
      return false;
    const key = `${seq} ${agent.id}`;
    const known = this.verdicts.get(key);
    if (known !== undefined) return known;
    const verdict = this.mayDecide(agent, session, trigger, seq);
    if (this.verdicts.size >= verdictsKept) this.verdicts.clear();
    this.verdicts.set(key, verdict);
    return verdict;
  }

  private mayDecide(agent: WakeAgent, session: Folded, trigger: Trigger, seq: number): boolean {
    // Only a hook that found its marker waits.
    if (!existsSync(join(this.markers, session.id))) return false;
    const now = this.clock.now();
    const event = this.eventAt(seq);
    // If the event waited in the spool, its hook has exited.
    if (!event || now - event.at > limits.approvals.hookFresh) return false;
    const { end, requests } = session.memory;
    switch (trigger) {
      case 'pre_compact':
        return this.blocks.whyDeniedThisHour(agent, now) === null;
      case 'response_complete': {
        const active = parseObject(event.raw)?.stop_hook_active === true;
        if (active && !agent.settings.wake_on_continuation) return false;
        return end?.evidence.seq === seq && this.blocks.whyDenied(agent, session.id, active, now) === null;
      }
      default:
        return requests.some(({ evidence }) => evidence.seq === seq);
    }
  }
}

const verdictsKept = 10_000;

/** An agent that is a session acts instead of answering. */
const isBidirectional = (agent: WakeAgent): boolean => {
  if (agent.inactive !== null || agent.settings.hook_mode !== 'bidirectional') return false;
  const to = destinationOf(agent);
  return to !== null && !('session' in to);
};
