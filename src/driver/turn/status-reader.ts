/** Reads the session file of one CLI, which may run behind a wrapper. */
import { join } from 'node:path';
import { readSessionStatus, type SessionStatus } from '../../claude/session-status.ts';
import { couldHaveWritten, descendants } from '../../platform/processes.ts';

export class StatusReader {
  /** The CLI's process, as far as it is known. */
  pid: number;
  private isFound = false;

  constructor(
    private readonly claudeDir: string,
    /** The process that the terminal runs: the CLI, or a wrapper. */
    private readonly startedPid: number,
  ) {
    this.pid = startedPid;
  }

  /** Where the file is, or will be. */
  get path(): string {
    return join(this.claudeDir, 'sessions', `${this.pid}.json`);
  }

  /** Null when there is no file yet, or it is being rewritten. */
  read(): SessionStatus | null {
    const status = this.statusOf(this.pid) ?? (this.isFound ? null : this.behindWrapper());
    this.isFound ||= status !== null;
    return status;
  }

  private behindWrapper(): SessionStatus | null {
    for (const pid of descendants(this.startedPid)) {
      const status = this.statusOf(pid);
      if (!status) continue;
      this.pid = pid;
      return status;
    }
    return null;
  }

  /** Reads the file of this pid; null if it was left behind by an earlier process with the same pid. */
  private statusOf(pid: number): SessionStatus | null {
    const status = readSessionStatus(this.claudeDir, pid);
    return status && couldHaveWritten(pid, status) ? status : null;
  }
}
