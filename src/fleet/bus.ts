/** What the fleet needs from its broker. Only `nats/` knows which broker it is. */

export interface Stored {
  subject: string;
  bytes: Uint8Array;
  /** In the stream. */
  seq: number;
  /** When the broker stored it, ms. */
  at: number;
  /** It was stored before the reader was opened. */
  isOld?: boolean;
}

export type ConnectionState = 'connecting' | 'connected' | 'unreachable' | 'refused';

export interface BusState {
  connection: ConnectionState;
  /** When it came into this state, ms. */
  since: number;
  /** The server that is connected. */
  server: string | null;
  version: string | null;
  /** Why it is not connected. */
  problem: string | null;
  /** What a person can fix: the login, or the trusted certificates. */
  fault?: 'login' | 'certificate' | null;
}

export interface StreamSettings {
  name: string;
  subjects: string[];
  /** Keeps only the last message of each subject. */
  lastOnly: boolean;
  maxAgeMs: number;
  maxBytes: number;
  replicas: number;
}

export interface Followed {
  /** Resolves when every message from before the start has been delivered. */
  caughtUp: Promise<void>;
  /** The same for the last time it started over. */
  settled: () => Promise<void>;
  stop: () => void;
}

export interface Bus {
  readonly state: BusState;
  /** Calls back after every change of the connection. */
  onState: (listener: (state: BusState) => void) => void;
  ensureStream: (settings: StreamSettings) => Promise<void>;
  /** Stores a message; resolves once the broker has it. `expectLast`: only if the last one of the subject has this number. */
  store: (
    subject: string,
    bytes: Uint8Array,
    options?: { id?: string; expectLast?: number },
  ) => Promise<{ seq: number; isDuplicate: boolean }>;
  /** The last message of a subject; null when there is none. */
  last: (stream: string, subject: string) => Promise<Stored | null>;
  /** Delivers the last message of each subject, then every new one, in order. Starts over after a reconnect. */
  follow: (stream: string, subject: string, onMessage: (message: Stored) => void | Promise<void>) => Followed;
  /** Delivers every stored message, then every new one, in order. Starts over after a reconnect. */
  replay: (stream: string, subject: string, onMessage: (message: Stored) => void | Promise<void>) => Followed;
  /** Answers requests on a subject; each answer may have several parts. */
  serve: (
    subject: string,
    onRequest: (bytes: Uint8Array, reply: (part: Uint8Array) => void) => void,
  ) => () => void;
  /** Sends a request and calls back with each part of its answer. Throws `NoReceiver` at once if nobody serves the subject. */
  request: (
    subject: string,
    bytes: Uint8Array,
    onPart: (part: Uint8Array) => 'more' | 'done' | Promise<'more' | 'done'>,
    timeoutMs: number,
  ) => Promise<void>;
  /** Closes the connection for good: this host may not use it. */
  giveUp: (problem: string) => void;
  close: () => Promise<void>;
}

/** The broker says that a message with another number is the last one of the subject. */
export class WrongLastSequence extends Error {}

/** Nobody has subscribed to this subject. */
export class NoReceiver extends Error {}

/** The answer was not complete in time. */
export class NoAnswer extends Error {}
