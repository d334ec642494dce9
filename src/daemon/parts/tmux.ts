/** tmux as a view of the sessions: pane options, the queue in the status line, and the keys. */
import type { Screen } from '../../contract/api.ts';
import type { MovedClient } from '../../contract/page.ts';
import type { Pane } from '../../contract/session.ts';
import type { Audit } from '../../live/audit.ts';
import { queueEvents } from '../../session/queue/deferral.ts';
import { queueOf } from '../../session/queue/queue.ts';
import { channelOf } from '../../tmux/keys/conf.ts';
import { keyAction, keyRequestDraft } from '../../tmux/keys/key-request-events.ts';
import { moveClient } from '../../tmux/keys/move-client.ts';
import { PaneOptionStore } from '../../tmux/server/pane-option-store.ts';
import type { TmuxPane } from '../../tmux/server/panes.ts';
import { capturePreview } from '../../tmux/server/preview.ts';
import { draftsOfSeen } from '../../tmux/server/seen-sessions.ts';
import { TmuxView } from '../../tmux/view/view.ts';
import type { Core } from '../core.ts';
import type { View } from '../../live/loop.ts';
import type { Part } from '../part.ts';

export interface TmuxPart extends Part, View {
  handlers?: never;
  /** Called with the panes of each tmux server that answers. */
  seen: (socket: string, panes: TmuxPane[]) => void;
  /** What a pane shows now. */
  preview: (pane: Pane) => Promise<Screen | null>;
  /** The number of sessions that wait on other hosts may have changed. */
  onFleet: () => void;
  /** Moves a client to a pane: the named one, or the only one. */
  go: (pane: Pane, client: string | null) => Promise<MovedClient>;
  /** Removes what is kept of sessions that were forgotten. */
  forget: (isGone: (sessionId: string) => boolean) => void;
}

export interface TmuxDeps {
  audit: Pick<Audit, 'record'>;
  /** How many sessions wait on other hosts. */
  waitingOnOtherHosts: () => number;
}

export const openTmux = (core: Core, { audit, waitingOnOtherHosts }: TmuxDeps): TmuxPart => {
  const { paths, config, loop, clock, log, record } = core;
  const live = () => loop.sessionIndex.live();
  const queue = () => queueOf(live(), clock.now(), config.order);
  const view = new TmuxView(
    {
      live,
      sessionsIn: key => loop.sessionIndex.allInPane(key),
      queue,
      waitingOnOtherHosts,
      now: clock.now,
      onKeyRequest: (request, socket) => {
        const draft = keyRequestDraft(request, socket, queue(), clock.now());
        if (!draft) return;
        record([draft]);
        if (draft.name === queueEvents.skip) void audit.record(keyAction(request, draft));
      },
    },
    channelOf(paths.home),
    paths.home,
  );
  const dirOf = (id: string) => loop.sessionIndex.get(id)?.dir ?? null;
  const kept = new PaneOptionStore(paths.panes, dirOf, clock.now, log.error);
  return {
    name: 'tmux',
    seen: (socket, panes) => {
      view.seen(socket, (panes[0] as TmuxPane).serverPid);
      kept.seen(socket, panes);
      void draftsOfSeen(live(), socket, panes, clock.now()).then(drafts => drafts.length && record(drafts));
    },
    preview: capturePreview,
    onFleet: () => view.writeQueue(),
    go: moveClient,
    forget: isGone => kept.forget(isGone),
    onCommit: commit => view.onCommit(commit),
    start: () => view.start(),
    reload: changed => {
      if (changed.has('order')) view.writeQueue();
    },
    close: () => view.close(),
  };
};
