/** Puts the daemon together: opens every part with what it depends on, and the server over their handlers. */
import type { Cli } from '../claude/find-cli.ts';
import { createApp } from '../server/app.ts';
import type { Address } from './address.ts';
import type { Core } from './core.ts';
import { handlersOf, type Part } from './part.ts';
import { openAgents } from './parts/agents.ts';
import { openApprovals } from './parts/approvals.ts';
import { openAudit } from './parts/audit.ts';
import { openHub } from './parts/hub.ts';
import { type Ingest, openIngest } from './parts/ingest.ts';
import { openMaintenance } from './parts/maintenance.ts';
import { openNotices } from './parts/notices.ts';
import { openPage } from './parts/page.ts';
import { openPast } from './parts/past.ts';
import { openPrint } from './parts/print.ts';
import { openQueue } from './parts/queue.ts';
import { openRetention } from './parts/retention.ts';
import { openSessions } from './parts/sessions.ts';
import { openSources, type Sources } from './parts/sources.ts';
import { openStarts } from './parts/starts.ts';
import { openStatus } from './parts/status.ts';
import { openStreams } from './parts/streams.ts';
import { openTmux, type TmuxPart } from './parts/tmux.ts';
import { openTokens } from './parts/tokens.ts';
import { openWakes } from './parts/wakes.ts';
import { viewsOf } from './views.ts';

export interface AssembleOptions {
  address: Address;
  /** Stops the daemon: somebody asked for it over HTTP. */
  onStop: () => void;
  /** Called when this is no longer the home that the daemon locked. */
  onHomeReplaced: () => void;
  /** Stand-ins for what touches the machine, for tests. */
  ingest?: Ingest;
  tmux?: TmuxPart;
  sources?: Sources;
  findCli?: () => Promise<Cli | null>;
  pageFolder?: string;
}

export const assemble = (core: Core, options: AssembleOptions) => {
  const { config, loop, log } = core;
  const { address, onStop, onHomeReplaced } = options;
  const ingest = options.ingest ?? openIngest(core);
  const audit = openAudit(core);
  const streams = openStreams(core, ingest);
  const tokens = openTokens(core, streams.streams);
  const page = openPage(core, { ...streams, ...tokens, address, folder: options.pageFolder });
  const queue = openQueue(core);
  const print = openPrint(core);
  const tmux = options.tmux ?? openTmux(core, audit.audit);
  const sources = options.sources ?? openSources(core, { receive: ingest.receive, seen: tmux.seen });
  const { catchUp } = sources;
  const notices = openNotices(core);
  const agents = openAgents(core);
  const starts = openStarts(core, options.findCli);
  const hub = openHub(core, { ...agents, sessions: starts.sessions, catchUp });
  const wakes = openWakes(core, { hub, agents, catchUp, audit: audit.audit });
  const approvals = openApprovals(core, {
    holds: hub.holds,
    decisions: wakes.bidirectional,
    drive: agents.drive,
  });
  const past = openPast(core, (plan, place) => starts.sessions.resume(plan, place));
  const sessions = openSessions(core, { holds: hub.holds, tmux, past });
  const retention = openRetention(core);
  const maintenance = openMaintenance(core, { ingest, onHomeReplaced });
  const status = openStatus(core, {
    address,
    ingest,
    streams: streams.streams,
    hub,
    past,
    tmux,
    print,
    notices,
    stop: onStop,
  });
  // In the order in which they start. They close in reverse: nothing is closed before what uses it.
  // The spool is read before anything else is watched: hooks came first, files and processes say what is true now. What
  // became of interrupted starts is known before panes are read, so that a dialog in one belongs to its session.
  const parts = [
    streams,
    audit,
    tokens,
    page,
    queue,
    print,
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
    hub,
    wakes,
  ] as const;
  loop.addViews(viewsOf({ core, streams, hub, wakes, status, past, sources, tmux, notices }));
  const app = createApp(
    handlersOf(parts),
    {
      tokenOf: given => tokens.tokens.find(given),
      isSignedIn: (cookie, key) => page.pages.isSignedIn(cookie, key),
      port: () => address.port,
      inside: { isAllowed: config.insideSessions === 'allow', isAgentOf: agents.isAgentOf },
      allowHosts: config.allowHosts,
    },
    audit.audit,
    log.error,
  );
  return { app, parts: parts as readonly Part[], streams: streams.streams, stopManaged: hub.stopManaged };
};
