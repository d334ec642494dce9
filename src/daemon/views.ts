/** Lists what follows the event log, in the order in which the loop calls it: projections in the transaction, views after it. */
import type { View } from '../live/loop.ts';
import type { Core } from './core.ts';
import type { openAudit } from './parts/audit.ts';
import type { openChanges } from './parts/changes.ts';
import type { openFleetPart } from './parts/fleet.ts';
import type { Hub } from './parts/hub.ts';
import type { openNotices } from './parts/notices.ts';
import type { Past } from './parts/past.ts';
import type { Sources } from './parts/sources.ts';
import type { openStatus } from './parts/status.ts';
import type { openStreams } from './parts/streams.ts';
import type { TmuxPart } from './parts/tmux.ts';
import type { openUsage } from './parts/usage.ts';
import type { openWakes } from './parts/wakes.ts';

export interface ProjectionParts extends Pick<ViewParts, 'changes' | 'hub' | 'wakes'> {
  audit: ReturnType<typeof openAudit>;
}

export interface ViewParts {
  core: Core;
  streams: ReturnType<typeof openStreams>;
  hub: Hub;
  wakes: ReturnType<typeof openWakes>;
  status: ReturnType<typeof openStatus>;
  past: Past;
  sources: Sources;
  tmux: TmuxPart;
  notices: ReturnType<typeof openNotices>;
  usage: ReturnType<typeof openUsage>;
  changes: ReturnType<typeof openChanges>;
  fleet: ReturnType<typeof openFleetPart>;
}

/** What is written in the transaction of an event. */
export const projectionsOf = ({ audit, changes, hub, wakes }: ProjectionParts): View[] => [
  audit.audit.projection,
  changes.projection,
  hub.receipts.projection,
  wakes.views.wakes.projection,
];

export const viewsOf = (parts: ViewParts): View[] => {
  const { core, streams, hub, wakes, status, past, sources, tmux, notices, usage, changes, fleet } = parts;
  return [
    core.claudeDirs,
    // People and programs see an event before Drover acts on it.
    streams.streams,
    hub.holds,
    hub.views.heldProjects,
    hub.views.cleanup,
    hub.parking,
    // Messages and commands read how far a message has come.
    hub.receipts,
    hub.messages,
    hub.views.commands,
    hub.views.limitWatch,
    hub.views.continuations,
    wakes.views.wakes,
    wakes.bidirectional,
    wakes.views.awaitedMarkers,
    status,
    past,
    sources,
    tmux,
    notices,
    usage,
    changes,
    fleet,
  ];
};
