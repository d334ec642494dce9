/** Tools that act on sessions. None of them acts on the session that this server runs in. */
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { Answer, Answered } from '../contract/answer.ts';
import { Resumed } from '../contract/api.ts';
import { CreateSession, MessageWait, Receipt, SendMessage } from '../contract/hub.ts';
import { limits } from '../limits.ts';
import { findOther } from './find-session.ts';
import { SessionSummary, summaryOf } from './summary.ts';
import { sendAndWait } from './send-and-wait.ts';
import { sessionField, tool } from './tool.ts';
import { withProgress } from './watch-sessions.ts';

const SessionAnswer = z.object({ session: SessionSummary });

export const driveTools = [
  tool({
    name: 'start_session',
    title: 'Start a session',
    description:
      'Start a Claude Code session in its own tmux session, with a first prompt if you give one. Returns when it has started; read its answer with `wait_for_change` and `read_session`.',
    right: 'drive',
    // Not `args`, `env`, `permissions`, `trust` and `approvals`: a session must not start another with more rights than the user
    // gave it, nor one whose requests it answers.
    input: z.object({
      ...CreateSession.pick({ cwd: true, prompt: true, name: true, model: true }).shape,
      permission_mode: z.enum(['default', 'plan']).default('default'),
    }),
    output: SessionAnswer,
    run: async (input, deps) => {
      const session = await withProgress([], limits.start.ready / 1_000, deps, signal =>
        deps.daemon.call('createSession', {
          body: { session_id: randomUUID(), ...input },
          query: { wait: 'ready' },
          timeout: limits.start.ready + limits.daemon.answerTimeout,
          signal,
        }),
      );
      return { session: summaryOf(session, deps.own()) };
    },
  }),
  tool({
    name: 'send_message',
    title: 'Send a message',
    description:
      'Send a prompt to another session and wait for its answer, which is in the receipt. Queued while the session works. If it times out, `read_message` shows what became of the message.',
    right: 'drive',
    input: z.object({
      session: sessionField,
      ...SendMessage.pick({ text: true, as: true }).shape,
      wait: MessageWait.default('answered'),
      timeout: z.number().positive().max(3_600).default(600).describe('seconds'),
    }),
    output: Receipt,
    run: async ({ session: name, ...body }, deps) => {
      const session = await findOther(name, deps);
      return withProgress([session], body.timeout, deps, signal =>
        sendAndWait(session.id, body, deps.daemon, signal),
      );
    },
  }),
  tool({
    name: 'answer_request',
    title: 'Answer a request',
    description:
      'Answer an open request of another session by its id, with one of its choices (`read_request`). Only when the user has told you which answer to give: never approve for them. Not for sessions that you started.',
    right: 'answer',
    // Not `confirmed`: that says that a person has read what the choice does.
    input: z.object({
      session: sessionField,
      request: z.number().int().describe('id of the request'),
      ...Answer.pick({ choice: true, behavior: true, message: true, answers: true, values: true }).shape,
    }),
    output: Answered,
    run: async ({ session, request, ...answer }, deps) => {
      const { id } = await findOther(session, deps);
      return deps.daemon.call('answerSession', { id, body: { id: request, ...answer } });
    },
  }),
  tool({
    name: 'interrupt_session',
    title: 'Interrupt a session',
    description: 'Interrupt the turn of another session, as Esc does.',
    right: 'drive',
    isDestructive: true,
    input: z.object({ session: sessionField }),
    output: SessionAnswer,
    run: async ({ session: name }, deps) => {
      const { id } = await findOther(name, deps);
      const timeout = limits.stop.interrupt + limits.daemon.answerTimeout;
      return { session: summaryOf(await deps.daemon.call('interruptSession', { id, timeout }), deps.own()) };
    },
  }),
  tool({
    name: 'stop_session',
    title: 'Stop a session',
    description: 'Stop another session that was started through Drover. `resume_session` brings it back.',
    right: 'drive',
    isDestructive: true,
    input: z.object({ session: sessionField }),
    output: SessionAnswer,
    run: async ({ session: name }, deps) => {
      const { id } = await findOther(name, deps);
      const timeout = limits.stop.grace + limits.stop.kill + limits.daemon.answerTimeout;
      return { session: summaryOf(await deps.daemon.call('stopSession', { id, timeout }), deps.own()) };
    },
  }),
  tool({
    name: 'resume_session',
    title: 'Resume a session',
    description: 'Resume an ended session in its own directory. Name it by id or prefix.',
    right: 'drive',
    input: z.object({
      session: z.string().min(1).max(limits.mcp.addressText).describe('id of the session, or its beginning'),
      fork: z.boolean().default(false).describe('continue a copy of the conversation under a new id'),
    }),
    output: Resumed.pick({ id: true, copy: true, dir: true }),
    run: ({ session: id, fork }, deps) =>
      withProgress([], limits.start.ready / 1_000, deps, signal =>
        deps.daemon.call('resumeSession', {
          id,
          body: { fork },
          timeout: limits.start.ready + limits.daemon.answerTimeout,
          signal,
        }),
      ),
  }),
];
