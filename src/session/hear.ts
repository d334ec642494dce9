/** What one event adds to the memory of its session. Nothing is decided here. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Reason } from '../contract/session.ts';
import { askKind, textDetail, toolDetail } from './detail.ts';
import { evidenceOf } from './evidence.ts';
import { hearAct } from './hold.ts';
import { type Ask, emptyMemory, type Memory, type Folded, type TurnEnd } from './memory.ts';
import { lagAtMost, slack } from './timing.ts';

export const hear = (session: Folded, event: Event, hook: Hook): Folded => {
  switch (event.source) {
    case 'hook':
      return {
        ...session,
        memory: hearHook(
          { ...session.memory, hooked: Math.max(session.memory.hooked, event.at) },
          event,
          hook,
        ),
      };
    case 'file':
      return { ...session, memory: hearFile(session, event, hook) };
    case 'transcript':
      return hearTranscript(session, event, hook);
    case 'sweep':
      return event.name === 'Dialog'
        ? { ...session, memory: hearScreen(session.memory, event, hook) }
        : session;
    case 'drover':
      return event.name === 'Settled'
        ? { ...session, memory: { ...session.memory, settled: Math.max(session.memory.settled, event.at) } }
        : hearAct(session, event, hook);
    default:
      return session;
  }
};

const hearHook = (memory: Memory, event: Event, hook: Hook): Memory => {
  const { at } = event;
  const inside = typeof hook.agent_id === 'string' ? hook.agent_id : null;
  switch (event.name) {
    case 'SessionStart':
      return hook.source === 'compact'
        ? worked(memory, at)
        : { ...emptyMemory(at), file: fresh(memory, at), hooked: at, trail: memory.trail };
    case 'UserPromptSubmit':
      if (inside) return worked(memory, at);
      return {
        ...worked(memory, at),
        prompted: Math.max(memory.prompted, at),
        prompt: at >= memory.prompted || isTold(memory, at) ? evidenceOf(event) : memory.prompt,
        asks: memory.asks.filter(ask => ask.agent !== null || ask.evidence.at > at),
        tool: null,
      };
    case 'PreToolUse':
      return {
        ...worked(memory, at),
        tool: inside ? memory.tool : name(hook.tool_name),
        called: Math.max(memory.called, at),
      };
    case 'PostToolUse':
    case 'PostToolUseFailure':
    case 'PermissionDenied':
      return {
        ...without(worked(memory, at), event, answeredBy(memory.asks, hook, inside, at)),
        tool: inside ? memory.tool : null,
      };
    case 'PostToolBatch':
    case 'SubagentStart':
    case 'SubagentStop':
    case 'PreCompact':
    case 'PostCompact':
      return worked(memory, at);
    case 'PermissionRequest':
      return asked(memory, {
        kind: askKind(hook.tool_name),
        tool: name(hook.tool_name),
        agent: inside,
        detail: toolDetail(hook),
        evidence: evidenceOf(event),
      });
    case 'Elicitation':
      return asked(memory, {
        kind: 'elicitation',
        tool: null,
        agent: inside,
        detail: textDetail(hook.message) ?? toolDetail(hook),
        evidence: evidenceOf(event),
      });
    case 'ElicitationResult':
      return without(memory, event, ask => ask.kind === 'elicitation' && ask.evidence.at <= at);
    case 'Notification':
      return notified(memory, event, hook);
    case 'Stop':
      return inside
        ? memory
        : ended(memory, {
            kind: 'stopped',
            detail: textDetail(hook.last_assistant_message),
            tasks: liveTasks(hook.background_tasks),
            evidence: evidenceOf(event),
          });
    case 'StopFailure':
      return inside
        ? memory
        : ended(memory, {
            kind: 'failed',
            detail: textDetail(hook.last_assistant_message) ?? textDetail(hook.error),
            tasks: [],
            evidence: evidenceOf(event),
          });
    default:
      return memory;
  }
};

/** The file told of this prompt a moment before its hook did. */
const isTold = ({ prompt, prompted }: Memory, at: number): boolean =>
  prompt?.source === 'file' && prompted - at < 1_000;

const worked = (memory: Memory, at: number): Memory => ({
  ...memory,
  progress: Math.max(memory.progress, at),
});

const ended = (memory: Memory, end: TurnEnd): Memory => {
  const { at } = end.evidence;
  const { end: before, prompted } = memory;
  // What a transcript seemed to say gives way to the hook itself.
  const guessed = before?.evidence.source === 'transcript' && at >= prompted;
  if (before && before.evidence.at > at && !guessed) return memory;
  return {
    ...worked(memory, at),
    end,
    tool: null,
    asks: memory.asks.filter(ask => ask.agent !== null || ask.evidence.at > at),
  };
};

const asked = (memory: Memory, ask: Ask): Memory => {
  const { at } = ask.evidence;
  // Answered before it arrived, or told twice.
  if (memory.answered && at <= memory.answered.at) return memory;
  if (memory.asks.some(other => sameAsk(other, ask) && other.evidence.at === at)) return memory;
  return { ...memory, asks: [...memory.asks, ask].slice(-20) };
};

const sameAsk = (a: Ask, b: Ask): boolean =>
  a.tool === b.tool && a.agent === b.agent && a.detail.line === b.detail.line;

/** Takes away what this event says is answered. */
const without = (memory: Memory, event: Event, gone: (ask: Ask) => boolean): Memory => {
  const asks = memory.asks.filter(ask => !gone(ask));
  if (asks.length === memory.asks.length) return memory;
  const newest = !memory.answered || memory.answered.at <= event.at;
  return { ...memory, asks, answered: newest ? evidenceOf(event) : memory.answered };
};

/** The oldest ask that this result answers. */
const answeredBy = (asks: Ask[], hook: Hook, agent: string | null, at: number): ((ask: Ask) => boolean) => {
  const tool = name(hook.tool_name);
  const line = toolDetail(hook).line;
  const fits = (ask: Ask) => ask.tool === tool && ask.agent === agent && ask.evidence.at <= at;
  const found = asks.find(ask => fits(ask) && ask.detail.line === line) ?? asks.find(fits);
  return ask => ask === found;
};

/** Slow notices of what a faster source has told already, unless that was lost. One that is late reopens nothing. */
const notified = (memory: Memory, event: Event, hook: Hook): Memory => {
  const { at } = event;
  const kind = notices[String(hook.notification_type)];
  if (!kind || at <= memory.progress) return memory;
  if (kind === 'stopped') {
    const over = memory.end && memory.end.evidence.at >= memory.prompted;
    return over || memory.asks.length > 0
      ? memory
      : {
          ...memory,
          end: {
            kind: 'stopped',
            detail: memory.end?.detail ?? null,
            tasks: [],
            evidence: evidenceOf(event),
          },
        };
  }
  if (memory.asks.length > 0 || (memory.file && memory.file.status !== 'waiting')) return memory;
  if (memory.end && memory.end.evidence.at >= memory.prompted) return memory;
  return asked(memory, {
    kind,
    tool: null,
    agent: null,
    detail: textDetail(hook.message) ?? toolDetail(hook),
    evidence: evidenceOf(event),
  });
};

const notices: { [type: string]: Reason | undefined } = {
  permission_prompt: 'permission',
  elicitation_dialog: 'elicitation',
  elicitation_url_dialog: 'elicitation',
  idle_prompt: 'stopped',
};

const name = (value: unknown): string | null => (typeof value === 'string' ? value.slice(0, 200) : null);

/** What kinds of work go on after a Stop. */
const liveTasks = (tasks: unknown): string[] =>
  (Array.isArray(tasks) ? tasks : [])
    .filter((task): task is { type?: unknown; status?: unknown } => typeof task === 'object' && task !== null)
    .filter(task => task.status === undefined || task.status === 'running' || task.status === 'pending')
    .map(task => (typeof task.type === 'string' ? task.type : 'task'))
    .slice(0, 50);

/** A dialog of a start: there is one at a time. */
const hearScreen = (memory: Memory, event: Event, hook: Hook): Memory => ({
  ...memory,
  asks: [
    {
      kind: 'dialog',
      tool: null,
      agent: null,
      detail: textDetail(hook.message) ?? toolDetail(hook),
      evidence: evidenceOf(event),
    },
  ],
});

const hearFile = (session: Folded, event: Event, payload: Hook): Memory => {
  const memory = ofThisRun(session, payload);
  if (event.name === 'FileGone') return { ...memory, file: null, leaving: true };
  if (event.name !== 'FileStatus' || typeof payload.status !== 'string') return memory;
  if (memory.file && memory.file.evidence.at > event.at) return memory;
  const status = payload.status;
  const before = memory.file?.status ?? null;
  const lag = Math.min(Math.max(event.seen - event.at, 0), lagAtMost);
  const file = { status, waitingFor: name(payload.waitingFor), evidence: evidenceOf(event), lag };
  // A menu that a person opens is no work.
  const atWork = status === 'busy' || (status === 'waiting' && file.waitingFor !== 'dialog open');
  const began = atWork && before !== 'waiting' && before !== 'busy';
  // Work that no hook told: its beginning stands for the prompt. An interrupt tells no hook, so an end says nothing.
  const untold = began && event.at - memory.hooked > 1_000;
  // The dialogs that stood before this moment are gone. Hook times are those of files, some milliseconds late.
  const left = status !== 'waiting' && before === 'waiting';
  const kept =
    status === 'waiting'
      ? memory
      : without(memory, event, ask => ask.evidence.at <= event.at - (left || status === 'idle' ? 0 : slack));
  return {
    ...kept,
    // A session that was here before any hook: how long it has been tells whether its hooks are silent.
    began:
      memory.hooked === 0 && typeof payload.startedAt === 'number'
        ? Math.min(memory.began, payload.startedAt)
        : memory.began,
    file,
    leaving: false,
    prompted: untold ? Math.max(memory.prompted, event.at) : memory.prompted,
    prompt: untold && event.at >= memory.prompted ? evidenceOf(event) : memory.prompt,
    progress: status === 'busy' ? Math.max(memory.progress, event.at) : memory.progress,
    unhooked: untold ? event.at : memory.unhooked,
  };
};

/** A file of a process that is younger than the session's last run: it was resumed, and what was is over. */
const ofThisRun = ({ state, memory }: Folded, { startedAt }: Hook): Memory =>
  state === 'ended' && typeof startedAt === 'number' && startedAt > memory.began
    ? { ...emptyMemory(startedAt), trail: memory.trail }
    : memory;

/** The file as it was before a start says nothing about the run that begins. */
const fresh = (memory: Memory, at: number): Memory['file'] =>
  memory.file && memory.file.evidence.at >= at
    ? memory.file
    : memory.file && { ...memory.file, status: 'idle' };

const endings: { [name: string]: TurnEnd['kind'] | undefined } = {
  Interrupted: 'interrupted',
  Answered: 'stopped',
  Failed: 'failed',
};

const hearTranscript = (session: Folded, event: Event, payload: Hook): Folded => {
  if (event.name === 'Usage') {
    const { tokens, window, percent } = payload as { tokens?: unknown; window?: unknown; percent?: unknown };
    if (typeof tokens !== 'number') return { ...session, context: null };
    return {
      ...session,
      model: typeof payload.model === 'string' ? payload.model : session.model,
      context: {
        tokens,
        window: typeof window === 'number' ? window : null,
        percent: typeof percent === 'number' ? percent : null,
      },
    };
  }
  const { memory } = session;
  const kind = endings[event.name];
  if (!kind || event.at < memory.prompted || !isOpen(memory, event)) return session;
  return {
    ...session,
    memory: {
      ...memory,
      // An answer whose Stop was not heard: hooks are not reaching us.
      unhooked: event.name === 'Answered' ? Math.max(memory.unhooked, event.at) : memory.unhooked,
      end: { kind, detail: textDetail(payload.message), tasks: [], evidence: evidenceOf(event) },
    },
  };
};

/** The end of the last turn is not known yet, or only by an older line of the transcript. */
const isOpen = ({ end, prompted }: Memory, event: Event): boolean =>
  !end ||
  end.evidence.at < prompted ||
  end.kind === 'interrupted' ||
  (end.evidence.source === 'transcript' && end.evidence.at < event.at);
