/** What the usage database takes in and adds up. */

/** Token counts of one message, or of many. */
export interface TokenSums {
  messages: number;
  input: number;
  output: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
  cacheRead: number;
  webSearches: number;
}

/** One message of a model with its usage. */
export interface UsageMessage extends Omit<TokenSums, 'messages'> {
  id: string;
  at: number;
  sessionId: string;
  dir: string | null;
  model: string;
  tier: string;
  /** Its line says that it was copied from another transcript. */
  isCopy: boolean;
  /** When its transcript was created, ms; 0 where that is not known. */
  created: number;
}

/** What a session was billed so far for one model. */
export interface UsageBill {
  sessionId: string;
  at: number;
  model: string;
  input: number;
  output: number;
  cacheWrite: number;
  cacheRead: number;
  cost: number;
}

/** A transcript and how much of it has been read. */
export interface UsageFile {
  id: number;
  path: string;
  read: number;
}

export const tokenColumns = [
  'input',
  'output',
  'cacheWrite5m',
  'cacheWrite1h',
  'cacheRead',
  'webSearches',
] as const;

export const noTokens = (): TokenSums => ({
  messages: 0,
  input: 0,
  output: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  cacheRead: 0,
  webSearches: 0,
});
