/** The picture of the selected session's pane: one at a time, and only of what is seen. */
import { call } from '../client/call.ts';
import type { Screen } from '../contract/api.ts';
import type { Session } from '../contract/session.ts';
import type { Paths } from '../paths.ts';

export class Picture {
  private taken: { id: string; screen: Screen | null } | null = null;
  private busy = false;

  constructor(
    private readonly paths: Paths,
    private readonly selected: () => Session | undefined,
    private readonly onChange: () => void,
  ) {}

  /** What was seen of a session last. */
  of(session: Session | undefined): Screen | null {
    return this.taken?.id === session?.id ? (this.taken?.screen ?? null) : null;
  }

  /** Looks at the selected one anew. */
  async look(): Promise<void> {
    const session = this.selected();
    if (this.busy || !session?.pane || session.state === 'ended') return;
    this.busy = true;
    try {
      const { screen } = await call(this.paths, 'readScreen', { id: session.id });
      const same = this.taken?.id === session.id && this.taken.screen?.text === screen?.text;
      this.taken = { id: session.id, screen };
      if (!same) this.onChange();
    } catch {
      return; // The daemon has gone; the link says so.
    } finally {
      this.busy = false;
    }
    if (this.selected()?.id !== session.id) void this.look();
  }
}
