/**
 * Executes calls of routes, whatever carried them: checks the caller's rights and what sessions may not do, takes the body, calls
 * the handler and records what was done. HTTP and the fleet both come through here.
 */
import type { Caller } from '../contract/caller.ts';
import type { Audit } from '../live/audit.ts';
import { authorize, type InsideRules, refuseInside } from './authorize.ts';
import type { ActionNotes, Call, Handlers } from './call.ts';
import type { Match } from './router.ts';

/** Records what was done, or refused. */
export type Recorder = Pick<Audit, 'record' | 'now'>;

/** A call that has not been checked. */
export interface Arrival extends Pick<Call, 'query' | 'headers' | 'caller' | 'onLeave'> {
  match: Match;
  /** Reads the body by the schema of the route. Called only once the caller may make the call. */
  body: () => unknown;
}

export type Dispatch = (arrival: Arrival) => Promise<unknown>;

export const createDispatch =
  (handlers: Handlers, inside: InsideRules, audit: Recorder): Dispatch =>
  async ({ match, caller, query, headers, body: takeBody, onLeave }) => {
    const { route, id, request } = match;
    const action: ActionNotes = {};
    return runRecorded(audit, match, caller, action, async () => {
      authorize(caller, route.level);
      if (route.inside !== undefined) refuseInside(caller, route.inside, id, inside);
      const body = await takeBody();
      const handle = handlers[route.id] as (call: Call) => unknown;
      return handle({ params: { id, request }, query, headers, body, caller, action, onLeave });
    });
  };

/** Runs a handler. Where the route table names an action, its outcome is recorded before it is answered. */
const runRecorded = async (
  audit: Recorder,
  { route, id }: Match,
  caller: Caller,
  notes: ActionNotes,
  run: () => Promise<unknown>,
): Promise<unknown> => {
  if (route.audit === undefined) return run();
  const at = audit.now();
  const record = async (error?: unknown): Promise<void> => {
    const by = notes.caller ?? caller;
    // Anybody can try without a token: that must not fill the log.
    if (by.kind === 'anonymous') return;
    const session = route.pattern === undefined ? id : null;
    await audit.record({ session, ...notes, action: route.audit as string, caller: by, at, error });
  };
  try {
    const result = await run();
    await record();
    return result;
  } catch (error) {
    await record(error);
    throw error;
  }
};
