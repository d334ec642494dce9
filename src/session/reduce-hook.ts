/** Applies a hook event to the memory. */
import type { Event } from '../contract/event.ts';
import type { Hook } from '../contract/hook.ts';
import type { Evidence, Reason } from '../contract/session.ts';
import {
  addRequest,
  requestAnsweredBy,
  requestOf,
  closeRequests,
  dropRequests,
  noteAllowed,
} from './request/requests.ts';
import { requestKind, textDetail, toolDetail, toolName } from './request/detail.ts';
import { evidenceOf } from './evidence.ts';
import { failureOf, limitOf } from './limit/limit.ts';
import { emptyMemory, type FileContent, type Memory, type TurnEnd } from './memory.ts';
import { failureOutcome, outcomeOf } from './outcome/outcome.ts';
import { beginCall, endCalls } from './request/open-calls.ts';
import { noteShells, tasksOf } from './tasks.ts';

/** The hook that repeats what a faster one reported, and alone says that a session idles. */
export const notificationName = 'Notification';

export const reduceHook = (memory: Memory, event: Event, hook: Hook): void => {
  const { at } = event;
  const inside = typeof hook.agent_id === 'string' ? hook.agent_id : null;
  memory.hooked = Math.max(memory.hooked, at);
  switch (event.name) {
    case 'SessionStart':
      if (hook.source === 'compact') return noteProgress(memory, at);
      return beginRun(memory, event, hook);
    case 'UserPromptSubmit':
      noteProgress(memory, at);
      if (!inside) notePrompt(memory, event);
      return;
    case 'PreToolUse':
      noteProgress(memory, at);
      memory.called = Math.max(memory.called, at);
      beginCall(memory, event, hook, inside);
      if (!inside) memory.tool = toolName(hook);
      return;
    case 'PostToolUse':
    case 'PostToolUseFailure':
    case 'PermissionDenied': {
      // A repeated result must not close another request with the same input.
      if (memory.answered?.seq === event.seq) return;
      noteProgress(memory, at);
      const answered = requestAnsweredBy(memory.requests, hook, inside, at);
      const behavior = event.name === 'PermissionDenied' ? 'deny' : 'allow';
      endCalls(memory, ({ id }) => id === hook.tool_use_id);
      if (answered) closeRequests(memory, event, one => one === answered, behavior);
      else if (behavior === 'allow') noteAllowed(memory, hook);
      endNotifiedWait(memory, event);
      if (!inside) memory.tool = null;
      return;
    }
    case 'SubagentStop':
      noteProgress(memory, at);
      endCalls(memory, call => inside !== null && call.inside === inside);
      // Its requests end with the subagent.
      return closeRequests(
        memory,
        event,
        ({ agent, evidence }) => agent !== null && agent === inside && evidence.at <= at,
        null,
      );
    case 'PostToolBatch':
    case 'SubagentStart':
    case 'PreCompact':
    case 'PostCompact':
      return noteProgress(memory, at);
    case 'PermissionRequest':
      return addRequest(
        memory,
        requestOf(event, hook, {
          kind: requestKind(hook.tool_name),
          agent: inside,
          detail: toolDetail(hook),
        }),
      );
    case 'Elicitation':
      return addRequest(
        memory,
        requestOf(event, hook, {
          kind: 'elicitation',
          agent: inside,
          detail: textDetail(hook.message) ?? toolDetail(hook),
        }),
      );
    case 'ElicitationResult':
      return closeRequests(memory, event, one => one.kind === 'elicitation' && one.evidence.at <= at, null);
    case notificationName:
      return reduceNotification(memory, event, hook);
    case 'Stop': {
      if (inside) return;
      const tasks = tasksOf(hook);
      noteShells(memory, tasks, at);
      return noteTurnEnd(memory, event, {
        kind: 'stopped',
        detail: textDetail(hook.last_assistant_message),
        outcome: outcomeOf(hook.last_assistant_message),
        failure: null,
        limit: null,
        tasks,
        evidence: evidenceOf(event),
      });
    }
    case 'StopFailure': {
      if (inside) return;
      const failure = failureOf(hook.error, hook.last_assistant_message);
      return noteTurnEnd(memory, event, {
        kind: 'failed',
        detail: textDetail(hook.last_assistant_message) ?? textDetail(hook.error),
        outcome: failureOutcome(failure, hook.last_assistant_message),
        failure,
        limit: limitOf(failure, hook.last_assistant_message ?? hook.error, at),
        tasks: [],
        evidence: evidenceOf(event),
      });
    }
    default:
      return;
  }
};

const beginRun = (memory: Memory, event: Event, hook: Hook): void => {
  const { at } = event;
  const { file, trail, launchKey, launching, past } = memory;
  const isFormer = file !== null && file.evidence.at < at && !isOfThisRun(file, event, hook);
  const fresh = isFormer ? { ...file, status: 'idle' } : file;
  Object.assign(memory, emptyMemory(at), {
    file: fresh,
    hooked: at,
    trail,
    launchKey,
    launching,
    past,
  });
};

/**
 * Whether the file belongs to the run that starts: on a busy machine the hook of a start comes after the file has already
 * reported a start-up dialog. Only `startup` has a new id each time; a resumed session may have the file of its former process,
 * and after `/clear` the file shows for a moment what the former session did.
 */
const isOfThisRun = ({ pid }: FileContent, { context }: Event, { source }: Hook): boolean =>
  source === 'startup' || (source === 'resume' && pid !== undefined && pid === context.pid);

const notePrompt = (memory: Memory, event: Event): void => {
  const { at } = event;
  if (at >= memory.prompted || wasReportedByFile(memory, at)) memory.prompt = evidenceOf(event);
  if (at > memory.prompted) memory.turn = at;
  memory.prompted = Math.max(memory.prompted, at);
  memory.tool = null;
  dropRequests(memory, event);
};

/** Whether the file reported this prompt shortly before its hook. */
const wasReportedByFile = (memory: Memory, at: number): boolean =>
  memory.prompt?.source === 'file' && memory.prompted - at < 1_000;

const noteProgress = (memory: Memory, at: number): void => {
  memory.progress = Math.max(memory.progress, at);
};

const noteTurnEnd = (memory: Memory, event: Event, ending: TurnEnd): void => {
  const { at } = ending.evidence;
  const before = memory.end;
  // The hook itself overrules what the transcript suggested.
  const guessed = before?.evidence.source === 'transcript' && at >= memory.prompted;
  if (before && before.evidence.at > at && !guessed) return;
  noteProgress(memory, at);
  memory.end = ending;
  memory.tool = null;
  dropRequests(memory, event);
};

/** Ends a wait that only a Notification reported: a tool has run since. */
const endNotifiedWait = (memory: Memory, event: Event): void => {
  const isOver = ({ name, at }: Evidence): boolean => name === notificationName && at < event.at;
  closeRequests(memory, event, ({ evidence }) => isOver(evidence), null);
  if (memory.end && isOver(memory.end.evidence)) memory.end = null;
};

/** Applies a notification. It repeats what a faster source reported, unless that was lost. A late one reopens nothing. */
const reduceNotification = (memory: Memory, event: Event, hook: Hook): void => {
  const kind = reasonOfNotification[String(hook.notification_type)];
  const over = memory.end !== null && memory.end.evidence.at >= memory.prompted;
  if (!kind || event.at <= memory.progress || over || memory.requests.length > 0) return;
  if (kind === 'stopped') {
    // After a start or `/clear` it idles too, but no turn has ended.
    if (memory.prompted === 0 && memory.progress <= memory.began) return;
    const detail = memory.end?.detail ?? null;
    memory.end = {
      kind: 'stopped',
      detail,
      outcome: outcomeOf(null),
      failure: null,
      limit: null,
      tasks: [],
      evidence: evidenceOf(event),
    };
    return;
  }
  // An elicitation leaves the file of 2.1.197 busy.
  const isShown = kind === 'elicitation' && memory.file?.status === 'busy';
  if (memory.file && memory.file.status !== 'waiting' && !isShown) return;
  const detail = textDetail(hook.message) ?? toolDetail(hook);
  addRequest(memory, requestOf(event, hook, { kind, agent: null, detail }));
};

const reasonOfNotification: { [type: string]: Reason | undefined } = {
  permission_prompt: 'permission',
  elicitation_dialog: 'elicitation',
  elicitation_url_dialog: 'elicitation',
  idle_prompt: 'stopped',
};
