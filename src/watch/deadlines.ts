/** Reads the countdown of permission dialogs: no hook tells that Claude Code denies a request by itself after a while. */
import { setTimeout as pause } from 'node:timers/promises';
import { countdownOf, timesIn } from '../claude/screen/countdown.ts';
import { screenRequest } from '../claude/screen/screen-request.ts';
import { type Clock, elapsed } from '../clock.ts';
import type { Draft } from '../contract/event.ts';
import type { OpenRequest, Pane } from '../contract/session.ts';
import { limits } from '../limits.ts';
import type { Folded } from '../session/memory.ts';
import { eventFrom } from '../session/own-event.ts';
import { deadlineName } from '../session/request/requests.ts';
import { type PaneScreen, readPaneScreen } from '../tmux/server/pane-screen.ts';

export class Deadlines {
  /** Sessions whose dialog is being read. */
  private readonly reading = new Set<string>();
  private readonly stop = new AbortController();

  constructor(
    private readonly get: (id: string) => Folded | undefined,
    private readonly record: (drafts: Draft[]) => void,
    private readonly clock: Clock,
    private readonly onError: (message: string, error: unknown) => void,
  ) {}

  close(): void {
    this.stop.abort();
  }

  /** Called for each session that an event changed. */
  onChange(before: Folded | undefined, after: Folded): void {
    if (before?.requests === after.requests || !mayCountDown(after) || this.reading.has(after.id)) return;
    this.reading.add(after.id);
    this.read(after.id)
      .catch(error => {
        if (!this.stop.signal.aborted) this.onError('could not read the countdown of a dialog', error);
      })
      .finally(() => this.reading.delete(after.id));
  }

  /** Looks until the dialog is there, twice if it shows a time. Another request that comes meanwhile is looked at too. */
  private async read(id: string): Promise<void> {
    const { looks, interval } = limits.deadlines;
    let known = '';
    for (let look = 0; look < looks; look++) {
      await this.pause(interval);
      const session = this.get(id);
      if (!session?.pane || !mayCountDown(session)) return;
      const open = openIds(session);
      if (open !== known) look = 0;
      known = open;
      const { pane } = session;
      const picture = await readPaneScreen(pane);
      const first = picture && timesIn(picture.rows, picture.width);
      // A dialog without a time has no countdown.
      if (first?.size === 0) return;
      if (first && (await this.compare(id, pane, first))) return;
    }
  }

  private async compare(id: string, pane: Pane, first: Map<string, number>): Promise<boolean> {
    const from = elapsed(this.clock);
    await this.pause(limits.deadlines.tick);
    const now = this.clock.now();
    const picture = await readPaneScreen(pane);
    const second = picture && timesIn(picture.rows, picture.width);
    const left = second && countdownOf(first, second, elapsed(this.clock) - from);
    const session = this.get(id);
    const request = session && picture && requestOn(picture, session.requests);
    if (left === null || !request) return false;
    this.record([
      eventFrom('sweep', deadlineName, id, now, { request: request.id, until: now + left * 1_000 }),
    ]);
    return true;
  }

  private pause(ms: number): Promise<void> {
    return pause(ms, undefined, { signal: this.stop.signal, ref: false });
  }
}

/** Whether a permission dialog without a known deadline is open in a pane of this machine. */
const mayCountDown = ({ pane, requests, state }: Folded): boolean =>
  pane !== null && !pane.foreign && state !== 'ended' && requests.some(isUnread);

const isUnread = ({ kind, deadline }: OpenRequest): boolean =>
  kind === 'permission' && deadline === undefined;

const openIds = ({ requests }: Folded): string => requests.map(({ id }) => id).join(' ');

/** The request whose dialog is on the screen; of several, the one whose command it shows. */
const requestOn = ({ rows, width }: PaneScreen, requests: OpenRequest[]): OpenRequest | null => {
  const open = requests.filter(({ kind }) => kind === 'permission');
  const [only] = open;
  if (open.length === 1) return only && isUnread(only) ? only : null;
  const shown = squeezed(screenRequest(rows, width)?.text ?? '');
  const found = open.filter(({ line }) => shown !== '' && squeezed(line).endsWith(shown));
  return found.length === 1 && found[0] && isUnread(found[0]) ? found[0] : null;
};

const squeezed = (text: string): string => text.replace(/\s+/g, '');
