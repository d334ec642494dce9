/** Keep the git branch of each session current: read it again when the session does something that may change it. */
import type { Clock } from '../clock.ts';
import type { Draft, Event } from '../contract/event.ts';
import { isRemote } from '../contract/origin.ts';
import { limits } from '../limits.ts';
import { branchName } from '../session/branch.ts';
import type { Folded } from '../session/memory.ts';
import { ownEvent } from '../session/own-event.ts';
import { type GitBranch, readBranch } from './git-branch.ts';

/** Hooks after which another branch may be checked out, or the session may be in another folder. */
const triggers = new Set(['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'CwdChanged']);

export class Branches {
  /** Sessions that are being read or were just read, and whether something happened since. */
  private readonly busy = new Map<string, { isStale: boolean }>();
  private closed = false;

  constructor(
    private readonly get: (id: string) => Folded | undefined,
    private readonly record: (drafts: Draft[]) => void,
    private readonly clock: Clock,
    private readonly read: (folder: string) => Promise<GitBranch | null> = readBranch,
  ) {}

  /** Called for each event after its commit, with the current session. */
  onEvent(event: Event, { id, state, ...session }: Folded): void {
    const isTrigger = event.source === 'file' || (event.source === 'hook' && triggers.has(event.name));
    if (!isTrigger || state === 'ended' || isRemote(session) || this.closed) return;
    const busy = this.busy.get(id);
    if (busy) busy.isStale = true;
    else void this.update(id);
  }

  close(): void {
    this.closed = true;
  }

  /** Read the branch now, and again after a pause if something happened in the meantime. */
  private async update(id: string): Promise<void> {
    const busy = { isStale: false };
    this.busy.set(id, busy);
    const session = this.get(id);
    const found = session ? await this.branchOf(session) : null;
    const now = this.get(id);
    const { branch = null, worktree = false } = found ?? {};
    if (now && now.state !== 'ended' && !this.closed && (now.branch !== branch || now.worktree !== worktree))
      this.record([ownEvent(branchName, id, this.clock.now(), { branch, worktree })]);
    setTimeout(() => {
      this.busy.delete(id);
      if (busy.isStale && !this.closed) void this.update(id);
    }, limits.watch.branch).unref();
  }

  /** The branch of the current folder; where that is outside a repository, of the folder of the start. */
  private async branchOf({ cwd, dir }: Folded): Promise<GitBranch | null> {
    for (const folder of new Set([cwd, dir])) {
      const found = folder === null ? null : await this.read(folder).catch(() => null);
      if (found) return found;
    }
    return null;
  }
}
