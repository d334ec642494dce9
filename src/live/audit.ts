/**
 * Records actions. Each becomes an event, and in the same transaction a row of the audit table. Recording never blocks the
 * action: a failure is only logged.
 */
import type { Clock } from '../clock.ts';
import type { AuditEntry } from '../contract/audit.ts';
import type { Caller } from '../contract/caller.ts';
import { DroverError } from '../contract/error.ts';
import type { Event } from '../contract/event.ts';
import { limits } from '../limits.ts';
import { actionName } from '../session/action.ts';
import { ownEvent } from '../session/own-event.ts';
import { inputHash } from '../sha256.ts';
import type { Store } from '../store/store.ts';
import type { Loop, View } from './loop.ts';
import { Refusals } from './refusals.ts';

export interface Action {
  action: string;
  caller: Pick<Caller, 'kind' | 'name' | 'session'>;
  /** The session, by its id or a prefix of it; null for an action without one. */
  session: string | null;
  /** When it was requested. */
  at: number;
  /** The id of the request that was answered. */
  requestId?: number | undefined;
  /** What was done, as text. */
  text?: string | undefined;
  /** Why it failed; undefined when it succeeded. */
  error?: unknown;
}

type Payload = Omit<AuditEntry, 'seq' | 'at' | 'sessionId'>;

export class Audit {
  /** Writes the table of actions. */
  readonly projection: View = {
    name: 'audit',
    onCommit: ({ event }) => {
      if (event.source === 'drover' && event.name === actionName) this.store.audit.add(entryOf(event));
    },
  };

  private readonly refusals: Refusals;

  constructor(
    private readonly loop: Loop,
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {
    this.refusals = new Refusals(clock, action => void this.write(action));
  }

  now(): number {
    return this.clock.now();
  }

  /** Records an action; resolves when it is durable or could not be recorded. Never throws. */
  async record(given: Action): Promise<void> {
    if (this.refusals.isRepeated(given)) return;
    await this.write(given);
  }

  /** Records what was only counted so far. */
  close(): void {
    this.refusals.close();
  }

  private async write({ action, caller, session, at, requestId, text, error }: Action): Promise<void> {
    try {
      const { kind, name, session: inside } = caller;
      const payload: Payload = {
        action,
        caller: { kind, name, session: inside },
        request: requestId === undefined ? null : this.requestAt(requestId),
        text: text === undefined ? null : text.slice(0, limits.audit.text),
        ...outcomeOf(error),
      };
      const sessionId = this.sessionOf(session);
      await this.loop.append([{ draft: ownEvent(actionName, sessionId, at, payload) }]);
    } catch (problem) {
      this.onError(`${action} could not be recorded in the audit`, problem);
    }
  }

  private sessionOf(prefix: string | null): string | null {
    const found = prefix === null || prefix === '' ? [] : this.loop.sessionIndex.named(prefix);
    return found.length === 1 ? (found[0]?.id ?? null) : null;
  }

  private requestAt(id: number): AuditEntry['request'] {
    const hook = this.loop.payloadAt(id);
    const tool = typeof hook?.tool_name === 'string' ? hook.tool_name.slice(0, 200) : null;
    return { id, tool, hash: hook?.tool_input === undefined ? null : inputHash(hook.tool_input) };
  }
}

const outcomeOf = (error: unknown): Pick<AuditEntry, 'result' | 'message'> => {
  if (error === undefined) return { result: 'ok', message: null };
  const known = error instanceof DroverError ? error : new DroverError('internal');
  return { result: known.code, message: known.message.slice(0, limits.audit.text) };
};

const entryOf = ({ seq, at, sessionId, raw }: Event): AuditEntry => ({
  seq,
  at,
  sessionId,
  ...(JSON.parse(Buffer.from(raw).toString('utf8')) as Payload),
});
