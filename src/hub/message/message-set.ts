/** A set of messages by session, in the order in which they were added. */
export class MessageSet {
  private readonly sessions = new Map<string, string>();

  add(id: string, sessionId: string): void {
    this.sessions.set(id, sessionId);
  }

  delete(id: string): void {
    this.sessions.delete(id);
  }

  includes(id: string): boolean {
    return this.sessions.has(id);
  }

  /** Whether a session has any. */
  has(sessionId: string): boolean {
    for (const one of this.sessions.values()) if (one === sessionId) return true;
    return false;
  }

  /** The messages of a session. */
  of(sessionId: string): string[] {
    return [...this.sessions].filter(([, one]) => one === sessionId).map(([id]) => id);
  }
}
