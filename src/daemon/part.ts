/** A part of the daemon. Each is opened with the core and the parts it depends on: `openX(core, deps)`. */
import type { Handlers } from '../server/call.ts';

export interface Part {
  /** Named in the log when it fails. */
  readonly name: string;
  /** The routes that it serves. */
  handlers?: Partial<Handlers>;
  /** Called before the daemon listens. */
  prepare?: () => void | Promise<void>;
  /** Called once the daemon listens, when the part before it has started. */
  start?: () => void | Promise<void>;
  /** Called after config.json has changed, with the fields whose value is another. */
  reload?: (changed: ReadonlySet<string>) => void | Promise<void>;
  /** Called in reverse order, also for a part that has not started. */
  close?: () => void | Promise<void>;
}

type Intersection<Union> = (Union extends unknown ? (member: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The handlers of all parts. A route that no part serves does not compile where `Handlers` are expected. */
export const handlersOf = <const Parts extends readonly Part[]>(parts: Parts) =>
  Object.assign({}, ...parts.map(({ handlers }) => handlers ?? {})) as Intersection<
    Extract<Parts[number], { handlers: object }>['handlers']
  >;
