/** The facts that authentication needs. */
import type { PageRequest } from './page-channels.ts';
import type { TokenHolder } from './tokens.ts';

export interface AccessRules {
  /** The holder of a token; null when it is not valid. */
  tokenOf: (given: string) => TokenHolder | null;
  /** Accepts a request of a signed-in page once, and returns the proof for its answer; null for any other request. */
  acceptPage: (cookie: string, request: PageRequest) => string | null;
  /** The port that is bound. */
  port: () => number;
  /** Whether programs on this machine may post events without a token. */
  openIngest?: boolean;
  /** Addresses and subnets, besides loopback, that count as this machine then. */
  ingestFrom?: readonly string[];
  /** Further Host values, `name` or `name:port`: a container's name for this machine, a mapped port. */
  allowHosts?: readonly string[];
}
