/** Holds every session: running ones directly, later ones through a file. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { Config } from '../../contract/config.ts';
import { isRemote } from '../../contract/origin.ts';
import type { SessionIndex } from '../../live/session-index.ts';
import type { Folded } from '../../session/memory.ts';
import type { Holds } from './holds.ts';

export class HoldAll {
  constructor(
    private readonly file: string,
    private readonly config: Pick<Config, 'approvals'>,
    private readonly sessionIndex: SessionIndex,
    private readonly holds: Holds,
  ) {}

  /**
   * Whether a session is held that starts now. A new one is already as the config says, and a program may have chosen for one that it
   * starts. A session that is resumed may be from before.
   */
  isOn({ managed }: Pick<Folded, 'managed'>): boolean {
    return (this.config.approvals === 'held' && !managed) || existsSync(this.file);
  }

  /** Starts or stops holding every session; returns how many were changed. */
  async set(isHeld: boolean): Promise<number> {
    if (isHeld) writeFileSync(this.file, '', { mode: 0o600 });
    else rmSync(this.file, { force: true });
    const wanted = isHeld ? 'held' : 'terminal';
    const others = this.sessionIndex
      .live()
      .filter(session => !session.headless && !isRemote(session) && session.approvals !== wanted);
    await Promise.all(others.map(({ id }) => this.holds.setHeld(id, isHeld)));
    return others.length;
  }
}
