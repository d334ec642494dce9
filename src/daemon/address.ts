/** Where the daemon can be reached over TCP. Filled in when it listens, and kept while it closes. */
export interface Address {
  /** 0 before it listens. */
  port: number;
  url: string | null;
}
