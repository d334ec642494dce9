/** Puts the daemon together: opens every part with what it depends on, and the server over their handlers. */
import type { Cli } from '../claude/find-cli.ts';
import type { Peers } from '../fleet/peers.ts';
import type { App } from '../server/app.ts';
import type { Address } from './address.ts';
import type { Core } from './core.ts';
import { openServer } from './open-server.ts';
import { handlersOf, type Part } from './part.ts';
import { openAgents } from './parts/agents.ts';
import { openApprovals } from './parts/approvals.ts';
import { openAudit } from './parts/audit.ts';
import { openChanges } from './parts/changes.ts';
import { openConfig } from './parts/config.ts';
import { openFleetPart } from './parts/fleet.ts';
import { openHub } from './parts/hub.ts';
import { type Ingest, openIngest } from './parts/ingest.ts';
import { openMaintenance } from './parts/maintenance.ts';
import { openMemory } from './parts/memory.ts';
import { openNotices } from './parts/notices.ts';
import { openPage } from './parts/page.ts';
import { openPast } from './parts/past.ts';
import { openPrint } from './parts/print.ts';
import { openPush } from './parts/push.ts';
import { openQueue } from './parts/queue.ts';
import { openRetention } from './parts/retention.ts';
import { openSessions } from './parts/sessions.ts';
import { openSources, type Sources } from './parts/sources.ts';
import { openStarts } from './parts/starts.ts';
import { openStatus } from './parts/status.ts';
import { openStreams } from './parts/streams.ts';
import { openTmux, type TmuxPart } from './parts/tmux.ts';
import { openTokens } from './parts/tokens.ts';
import { openUsage } from './parts/usage.ts';
import { openWakes } from './parts/wakes.ts';
import { projectionsOf, viewsOf } from './views.ts';

export interface AssembleOptions {
  app: App;
  address: Address;
  /** Stops the daemon: somebody asked for it over HTTP. */
  onStop: () => void;
  /** Called when this is no longer the home that the daemon locked. */
  onHomeReplaced: () => void;
  /** Host headers to accept besides those of the config. */
  allowHosts?: readonly string[];
  /** Stand-ins for what touches the machine, for tests. */
  ingest?: Ingest;
  tmux?: TmuxPart;
  sources?: Sources;
  findCli?: () => Promise<Cli | null>;
  pageFolder?: string;
  peers?: Peers;
}

export const assemble = (core: Core, options: AssembleOptions) => {
  const { loop } = core;
  const { address, onStop, onHomeReplaced } = options;
  const ingest = options.ingest ?? openIngest(core);
  const audit = openAudit(core);
  const streams = openStreams(core, ingest);
  const fleet = openFleetPart(core, { ...streams, peers: options.peers });
  const tokens = openTokens(core, streams);
  const page = openPage(core, { ...streams, ...tokens, address, folder: options.pageFolder });
  const notices = openNotices(core);
  const queue = openQueue(core, { notices, fleet });
  const print = openPrint(core);
  const { waitingOnOtherHosts } = fleet;
  const tmux = options.tmux ?? openTmux(core, { audit: audit.audit, waitingOnOtherHosts });
  fleet.onChange(tmux.onFleet);
  const sources = options.sources ?? openSources(core, { receive: ingest.receive, seen: tmux.seen });
  const { catchUp } = sources;
  const usage = openUsage(core, { notices, ingest });
  const changes = openChanges(core, { streams: streams.streams, notices });
  const agents = openAgents(core);
  const starts = openStarts(core, options);
  const past = openPast(core, { start: (plan, place) => starts.sessions.resume(plan, place) });
  const hub = openHub(core, { past, ...agents, sessions: starts.sessions, catchUp });
  const push = openPush(core, {
    pages: page.pages,
    answers: hub.answers,
    address,
    onSubscription: notices.refresh,
  });
  notices.addChannels(() => push.channels());
  page.onRotate(push.revokeKeys);
  notices.setAnswerActions(push.offerToNtfy);
  const wakes = openWakes(core, { hub, agents, catchUp, audit: audit.audit });
  const approvals = openApprovals(core, {
    holds: hub.holds,
    holdAll: hub.holdAll,
    answers: hub.answers,
    decisions: wakes.bidirectional,
    drive: agents.drive,
  });
  const memory = openMemory(core, streams);
  const sessions = openSessions(core, { holds: hub.holds, tmux, past, memory, parking: hub.parking, fleet });
  const retention = openRetention(core);
  const maintenance = openMaintenance(core, { ingest, onHomeReplaced });
  const reloaded = openConfig(core, { parts: () => parts });
  const status = openStatus(core, {
    address,
    ingest,
    streams: streams.streams,
    hub,
    past,
    tmux,
    print,
    notices,
    usage,
    config: reloaded,
    fleet,
    stop: onStop,
  });
  // In the order in which they start. They close in reverse, so that nothing is closed before what uses it. The spool is read
  // before files and processes, because its hooks are older than what those show now. Interrupted starts are resolved before
  // panes are read, so that a start-up dialog is assigned to its session.
  const parts = [
    streams,
    audit,
    tokens,
    page,
    push,
    queue,
    print,
    memory,
    sessions,
    status,
    approvals,
    past,
    retention,
    maintenance,
    ingest,
    starts,
    sources,
    tmux,
    notices,
    usage,
    changes,
    hub,
    wakes,
    reloaded,
    fleet,
  ] as const;
  loop.addProjections(projectionsOf({ audit, changes, hub, wakes }));
  loop.addViews(
    viewsOf({ core, streams, hub, wakes, status, past, sources, tmux, notices, usage, changes, fleet }),
  );
  const { serve, ofHosts } = openServer(core, {
    app: options.app,
    handlers: handlersOf(parts),
    fleet,
    agents,
    audit: audit.audit,
    tokens: tokens.tokens,
    pages: page.pages,
    address,
    allowHosts: options.allowHosts ?? [],
  });
  fleet.setDispatch(ofHosts);
  return {
    serve,
    parts: parts as readonly Part[],
    streams: streams.streams,
    stopManaged: hub.stopManaged,
    ofHosts,
  };
};
