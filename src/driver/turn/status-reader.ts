/** The session file of a run's own CLI, which may be the child of a wrapper. */
import { join } from 'node:path';
import { readSessionStatus, type SessionStatus } from '../../claude/session-status.ts';
import { descendants, processStart } from '../../proc.ts';

export class OwnStatus {
  /** The CLI, as far as it is known. */
  pid: number;
  private isFound = false;

  /** `started`: the process that the terminal runs. */
  constructor(
    private readonly claudeDir: string,
    private readonly started: number,
  ) {
    this.pid = started;
  }

  /** Where the file is, or will be. */
  get path(): string {
    return join(this.claudeDir, 'sessions', `${this.pid}.json`);
  }

  /** Null: there is none yet, or half of one, met while it is rewritten. */
  read(): SessionStatus | null {
    const status = this.of(this.pid) ?? (this.isFound ? null : this.behindWrapper());
    this.isFound ||= status !== null;
    return status;
  }

  private behindWrapper(): SessionStatus | null {
    for (const pid of descendants(this.started)) {
      const status = this.of(pid);
      if (!status) continue;
      this.pid = pid;
      return status;
    }
    return null;
  }

  /** A file of the same pid may be an older process's. */
  private of(pid: number): SessionStatus | null {
    const status = readSessionStatus(this.claudeDir, pid);
    const ours = !status?.procStart || process.platform !== 'linux' || status.procStart === processStart(pid);
    return ours ? status : null;
  }
}
