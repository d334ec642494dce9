/**
 * Executes commands of other hosts. The signature proves who sent a command, the roster says what that host is, and this machine's
 * own settings what it may do here. A command is executed once: its key is stored first.
 */
import type { KeyObject } from 'node:crypto';
import { type Caller, mayUse } from '../../contract/caller.ts';
import type { Level } from '../../contract/rights.ts';
import { type Route, routes } from '../../contract/routes.ts';
import { DroverError } from '../../contract/error.ts';
import type { AcceptedRights } from '../../contract/fleet.ts';
import { limits } from '../../limits.ts';
import type { FleetContext } from '../context.ts';
import { bodyOf, isSignedBy, readEnvelope, seal } from '../envelope.ts';
import type { Member, Roster } from '../roster.ts';
import { type AnswerContent, Command } from './command.ts';

/** Keys of commands that were executed, with their answers. Durable. */
export interface CommandKeys {
  /** Stores the key. Returns null if it is new, else the answer that it got (`null`: none yet). */
  take: (from: string, key: string, expires: number) => { answer: AnswerContent | null } | null;
  /** Stores the answer. */
  answered: (from: string, key: string, answer: AnswerContent) => void;
}

export interface ServeDeps extends FleetContext {
  secret: KeyObject;
  roster: Roster;
  accepts: (member: Member) => AcceptedRights;
  keys: CommandKeys;
  /** Executes the call as this caller; never throws. */
  dispatch: (command: Command, caller: Caller) => Promise<AnswerContent>;
  onRejected: () => void;
  onError: (message: string, error: unknown) => void;
}

/** Serves commands until the returned function is called. */
export const serveCommands = (deps: ServeDeps): (() => void) =>
  deps.bus.serve(deps.subjects.commandsTo(deps.host), (bytes, reply) => {
    void execute(deps, bytes, reply).catch(error => deps.onError('A command of another host failed', error));
  });

const execute = async (
  deps: ServeDeps,
  bytes: Uint8Array,
  reply: (part: Uint8Array) => void,
): Promise<void> => {
  const { fleet, host, roster, now, onRejected } = deps;
  const envelope = readEnvelope(bytes);
  const member = envelope && (await roster.sender(envelope.from));
  // Hosts that are not members get no answer.
  if (envelope?.kind !== 'do' || !member || !(await isSignedBy(fleet, envelope, member.publicKey)))
    return onRejected();
  const command = bodyOf(Command, envelope);
  if (!command || command.to !== host) return onRejected();
  const answer = (content: AnswerContent) => sendParts(deps, command.key, content, reply);
  if (command.expires + limits.fleet.clockTolerance < now() || command.expires - now() > maxExpiry) {
    onRejected();
    return answer(errorContent(new DroverError('expired')));
  }
  const caller = callerOf(member, deps.accepts(member), command);
  // Nothing is stored for a command that will be refused: only who may act can use up space here.
  const isRead = reads.has(command.route) || !mayUse(caller, levels.get(command.route) ?? 'local');
  const done = isRead ? null : deps.keys.take(member.host, command.key, command.expires);
  if (done) {
    onRejected();
    return answer(
      done.answer ?? errorContent(new DroverError('host_silent', 'This command is being executed.')),
    );
  }
  const content = await deps.dispatch(command, caller);
  if (!isRead) deps.keys.answered(member.host, command.key, content);
  answer(content);
};

/** Routes that only read: they may be executed twice. */
const reads: ReadonlySet<string> = new Set(
  (routes as readonly Route[]).filter(({ method }) => method === 'GET').map(({ id }) => id),
);

const levels: ReadonlyMap<string, Level> = new Map(routes.map(({ id, level }) => [id, level]));

/** A command that stayed valid for longer could be kept by somebody and used later. */
const maxExpiry = limits.fleet.commandExpiry + 2 * limits.fleet.clockTolerance;

/** The caller as this host sees it: another host, with the rights that this one gave it. */
const callerOf = (member: Member, rights: AcceptedRights, { caller }: Command): Caller => ({
  kind: 'host',
  name: `${member.name} (${[caller.kind, caller.name].filter(Boolean).join(' ').slice(0, 60)})`,
  session: null,
  rights,
});

export const errorContent = (error: DroverError): AnswerContent => ({
  status: error.status,
  json: error.toJSON(),
});

const sendParts = (
  { fleet, host, secret }: ServeDeps,
  key: string,
  content: AnswerContent,
  reply: (part: Uint8Array) => void,
): void => {
  const text = JSON.stringify(content);
  // Characters outside of ASCII take up to three bytes.
  const size = Math.floor(limits.fleet.answerPart / 3);
  const parts = Math.max(1, Math.ceil(text.length / size));
  for (let part = 0; part < parts; part++)
    reply(
      seal(fleet, 'done', host, secret, {
        key,
        part,
        parts,
        text: text.slice(part * size, (part + 1) * size),
      }),
    );
};
