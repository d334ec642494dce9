/** What authentication and authorisation are decided by. */
import type { InsideRules } from './authorize.ts';
import type { TokenHolder } from './tokens.ts';

export interface AccessRules {
  /** Whose token this is; null for none that counts. */
  tokenOf: (given: string) => TokenHolder | null;
  /** Whether a browser's cookie and its page's key belong together. */
  knows: (cookie: string, key: string) => boolean;
  inside: InsideRules;
  /** The port that is bound. */
  port: () => number;
  /** Further Host values, `name` or `name:port`: a container's name for this machine, a mapped port. */
  allowHosts?: readonly string[];
}
