/** The screen of the selected session's pane, one request at a time. */
import { call } from '../client/call.ts';
import { isHostAway } from '../client/fleet-text.ts';
import type { Screen } from '../contract/api.ts';
import type { Session } from '../contract/session.ts';
import type { Paths } from '../paths.ts';

export class Picture {
  private last: { id: string; screen: Screen | null } | null = null;
  private busy = false;

  constructor(
    private readonly paths: Paths,
    private readonly selected: () => Session | undefined,
    private readonly onChange: () => void,
  ) {}

  /** The last screen that was read of a session. */
  of(session: Session | undefined): Screen | null {
    return this.last?.id === session?.id ? (this.last?.screen ?? null) : null;
  }

  /** Reads the screen of the selected session. */
  async refresh(): Promise<void> {
    const session = this.selected();
    if (this.busy || !session || !hasScreen(session)) return;
    this.busy = true;
    try {
      const { screen } = await call(this.paths, 'readScreen', { id: session.id });
      const same = this.last?.id === session.id && this.last.screen?.text === screen?.text;
      this.last = { id: session.id, screen };
      if (!same) this.onChange();
    } catch {
      return; // The daemon is down, which the link reports; or the session's host does not answer.
    } finally {
      this.busy = false;
    }
    if (this.selected()?.id !== session.id) void this.refresh();
  }
}

/** Whether its screen can be read: of a session of another host only that host knows the pane. */
const hasScreen = (session: Session): boolean =>
  session.state !== 'ended' &&
  (session.pane !== null || (session.fleet !== undefined && !isHostAway(session)));
