/** Sends a command to another host and returns its answer. Nothing is queued: it fails at once if the host is away. */
import { randomUUID, type KeyObject } from 'node:crypto';
import type { Caller } from '../../contract/caller.ts';
import { DroverError, type ErrorCode, errors } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import { NoAnswer, NoReceiver } from '../bus.ts';
import type { FleetContext } from '../context.ts';
import { bodyOf, isSignedBy, readEnvelope, seal } from '../envelope.ts';
import type { Hosts } from '../hosts.ts';
import { requestWithRetry } from '../request-with-retry.ts';
import type { Roster } from '../roster.ts';
import { AnswerContent, AnswerPart, type Command } from './command.ts';

export interface SendDeps extends FleetContext {
  secret: KeyObject;
  roster: Roster;
  hosts: Hosts;
}

export interface RemoteCall {
  route: string;
  params: { id: string; request?: string | undefined };
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  caller: Pick<Caller, 'kind' | 'name' | 'session'>;
  /** Also identifies the command when the caller repeats it. */
  key?: string | undefined;
  /** How long the answer may take, ms. */
  answerMs?: number;
  /** How large it may be. */
  maxBytes?: number;
}

/** What a route of another host returned. Errors are thrown as if they had happened here. */
export type RemoteAnswer = Pick<AnswerContent, 'status' | 'json' | 'bytes' | 'headers'>;

export const sendCommand = async (deps: SendDeps, to: string, call: RemoteCall): Promise<RemoteAnswer> => {
  const { bus, subjects, fleet, host, secret, roster, hosts, now } = deps;
  const member = roster.get(to);
  if (!member) throw new DroverError('no_host');
  if (bus.state.connection !== 'connected') throw new DroverError('fleet_down');
  const at = now() + hosts.skewOf(to);
  const command: Command = {
    to,
    route: call.route,
    params: {
      id: call.params.id,
      ...(call.params.request !== undefined && { request: call.params.request }),
    },
    query: call.query ?? {},
    headers: call.headers ?? {},
    body: call.body ?? null,
    caller: { kind: call.caller.kind, name: call.caller.name, session: call.caller.session },
    key: call.key ?? randomUUID(),
    at,
    expires: at + limits.fleet.commandExpiry,
  };
  const parts: string[] = [];
  let bytes = 0;
  let content: AnswerContent | null = null;
  const onPart = async (data: Uint8Array): Promise<'more' | 'done'> => {
    const envelope = readEnvelope(data);
    if (envelope?.kind !== 'done' || envelope.from !== to) return 'more';
    if (!(await isSignedBy(fleet, envelope, member.publicKey))) return 'more';
    const part = bodyOf(AnswerPart, envelope);
    if (part?.key !== command.key || part.part !== parts.length) return 'more';
    parts.push(part.text);
    bytes += part.text.length;
    if (bytes > (call.maxBytes ?? limits.fleet.answerBytes))
      throw new DroverError('failed', `The answer from ${member.name} is too large.`);
    if (parts.length < part.parts) return 'more';
    content = contentIn(parts.join(''), member.name);
    return 'done';
  };
  const away = () => new DroverError('host_away', `${member.name} is away.`);
  try {
    const request = seal(fleet, 'do', host, secret, command);
    await requestWithRetry(
      bus,
      subjects.command(to, host),
      request,
      onPart,
      call.answerMs ?? limits.fleet.commandAnswer,
      () => !hosts.isAway(to),
    );
  } catch (error) {
    if (error instanceof NoReceiver) throw away();
    if (error instanceof NoAnswer)
      throw hosts.isAway(to)
        ? away()
        : new DroverError('host_silent', `${member.name} did not answer in time.`);
    throw error;
  }
  const { status, json, ...rest } = content as unknown as AnswerContent;
  if (status >= 400) {
    const error = errorOf(json, member.name);
    if (error.code === 'host_too_old')
      throw tooOldError(member.name, hosts.get(to)?.card.version, call.route);
    // Its text says "here" and means that host, so name it.
    if (error.code === 'forbidden')
      throw new DroverError(error.code, `${member.name}: ${error.message}`, error.hint);
    throw error;
  }
  return { status, json, ...rest };
};

const contentIn = (text: string, name: string): AnswerContent => {
  try {
    return AnswerContent.parse(JSON.parse(text));
  } catch {
    throw new DroverError('failed', `${name} sent an answer that cannot be read.`, 'Update drover here.');
  }
};

/** The error of a host that is too old for a route. It is built here, with the host's name: its own text says "this host". */
const tooOldError = (name: string, version: string | undefined, route: string): DroverError =>
  new DroverError(
    'host_too_old',
    `${name} runs ${version === undefined ? 'a drover' : `drover ${version}`}, which does not know \`${route}\`.`,
    `Update drover on ${name}.`,
  );

/** The error that another host answered with. */
const errorOf = (json: unknown, name: string): DroverError => {
  const { code, message, hint } = (json as { error?: Record<string, unknown> } | null)?.error ?? {};
  const text = typeof message === 'string' ? oneLine(message) : `${name} answered with an error.`;
  const known = typeof code === 'string' && Object.hasOwn(errors, code) ? (code as ErrorCode) : 'failed';
  return new DroverError(known, text, typeof hint === 'string' ? oneLine(hint) : undefined);
};

/** Keeps text from another host on one line, so that it cannot imitate messages of this machine. */
const oneLine = (text: string): string => text.slice(0, 1_000).replaceAll(/[\s\x00-\x1f\x7f-\x9f]+/g, ' ');
