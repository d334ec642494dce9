/** Every threshold, grouped by subject, each with its reason. Times are in milliseconds. */
import { boardLimits } from './board-limits.ts';

const KiB = 1024;
const MiB = 1024 * KiB;
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export const limits = {
  http: {
    /** Largest event. Tool output makes payloads large; 20 MB has been seen in the field. */
    eventBytes: 24 * MiB,
    /** Largest other body. A prompt may have 10 MiB. */
    bodyBytes: 12 * MiB,
    /** Largest body from a caller without a token. The largest legitimate one is a page's ticket. */
    anonymousBodyBytes: 16 * KiB,
    /** A rejected body is read and discarded for this long, so that the client can read the answer. */
    rejectedBodyDrain: 250,
    /** Time for a body to arrive. */
    bodyTimeout: 30 * second,
    /** Time for request headers to arrive, and for an idle connection to send something. */
    headTimeout: 5 * second,
    /** Interval of the check for overdue requests. */
    overdueCheck: second,
    /** TCP connections. Each stream reader has one, and commands need more. */
    connections: 2_500,
    /** TCP connections that have not shown a token yet. */
    anonymousConnections: 400,
    /** The same for new connections: a thousand readers may connect at once. */
    anonymousBurst: 1_200,
    /** How long a connection counts as new. */
    anonymousGrace: second,
    /** Time for requests in progress to finish when the daemon stops. */
    drain: 2 * second,
    /** Longest path of a Unix socket, set by the kernel: 103 bytes on macOS, 107 on Linux. */
    socketPath: 103,
  },

  spool: {
    /** Size of the spool while no daemon reads it: about a week of a busy person, and small for any disk. */
    maxFiles: 100_000,
    maxBytes: 1024 * MiB,
    /** Space released on a full disk: a few hundred more events, and room to count the lost ones. */
    reserveBytes: MiB,
    /** Files and bytes per batch. Bounds memory and keeps the daemon responsive while it drains. */
    batchFiles: 500,
    batchBytes: 16 * MiB,
    /** Interval of the scan for files that the watcher missed. */
    scan: 2 * second,
    /** A file without its end mark that has not grown for this long is torn: its writer is dead. */
    tornAfter: 15 * second,
    /** Unreadable files kept aside: enough to investigate a fault. */
    asideFiles: 1_000,
    asideBytes: 64 * MiB,
    /** A POST has 2 s. An older file in `outgoing/` belongs to a hook that was killed. */
    outgoingAge: minute,
  },

  duplicates: {
    /** Plugin and settings write copies of the same hook event within this time. */
    window: 10 * second,
    /** Events whose copies are recognised: more than Claude Code fires within the window. */
    events: 5_000,
    /** Time during which a repeated POST of the same event is recorded once. */
    postWindow: day,
  },

  clock: {
    /** How far the clock may deviate from the elapsed time before it counts as set. NTP steps at 128 ms. */
    step: 100,
    /** Interval of that check: a state must be right within 3 s. */
    check: second,
    /** Retention ignores a jump ahead by more than `jump` until the daemon has run for `trustAfter`. */
    jump: 10 * minute,
    trustAfter: day,
    /** The longest timer of Node, 24 days; a longer one would fire at once. */
    longestTimer: 2 ** 31 - 1,
  },

  store: {
    /** Pause before a failed write (locked, disk full) is retried. Short, so that the state recovers soon after the fault. */
    retry: 500,
    /** Events of our own sources that wait for a retry. The oldest is dropped beyond this. */
    pendingEvents: 20_000,
  },

  retention: {
    /** Defaults of the config section `retention`. */
    age: 30 * day,
    events: 1_000_000,
    bytes: 2 * 1024 * MiB,
    /** For one session: a runaway session must not cost the others their history. */
    sessionEvents: 250_000,
    sessionBytes: 200 * MiB,
    /** The share of one origin in the limits of the whole log: what a token posts must not cost the others their history. */
    originShare: 0.2,
    /** Sessions of one origin that are kept, 7 KiB each in memory; a new one is refused at twice as many, until the next deletion. */
    originSessions: 1_000,
    /** Approximate size of the snapshot that replaces a session's deleted events. */
    snapshotBytes: 4 * KiB,
    /** Interval of deletion. */
    interval: minute,
    /** Rows and bytes per deletion step, and the pause between steps, so that ingest waits a few milliseconds at most. */
    stepRows: 2_000,
    stepBytes: 4 * MiB,
    stepPause: 20,
    /** Finished waits, for `drover stats`: a year and some days. */
    waitAge: 400 * day,
    /** Spans of the timeline: as long as the events they come from. */
    spanAge: 30 * day,
  },

  stats: {
    defaultDays: 14,
    maxDays: 400,
    /** How far back the timeline reaches: a week. */
    timelineHours: 7 * 24,
  },

  audit: {
    /** Rows are kept this long without their texts. */
    age: 400 * day,
    maxRows: 200_000,
    /** Rows of one program: it must not remove those of others. */
    callerRows: 20_000,
    /** Repeated refusals of a program within this time share a row. */
    refusalWindow: 10 * minute,
    /** Programs whose refusals are counted apart. */
    refusals: 1_000,
    /** Characters kept of a text. */
    text: 500,
    /** Rows per page of the API. */
    page: 1_000,
  },

  stream: {
    /** Queue of one reader. A reader beyond it is disconnected and resumes by cursor. */
    readerBytes: 4 * MiB,
    readers: 2_000,
    /** Streams of one caller over TCP. */
    callerReaders: 200,
    /** Rows and bytes of payload read at once for a replay. */
    replayRows: 500,
    replayBytes: 256 * KiB,
    /** Bytes of payload in one page of `GET /log`. */
    pageBytes: 4 * MiB,
    keepAlive: 15 * second,
    /** A reader that reads nothing of its replay for this long is disconnected. */
    stalledAfter: 30 * second,
    /** The end of a cleared session waits this long for the id of its successor. */
    clearWait: 5 * second,
  },

  watch: {
    /** Interval of the check whether each process still runs. A death must be known within 300 ms. */
    alive: 250,
    /** Interval of the poll that learns the processes of new sessions. */
    processes: 2 * second,
    /** Claude folders watched, including discovered ones. */
    claudeDirs: 16,
    /** A session whose process cannot be checked counts as lost after this long without an event. */
    lostAfter: day,
    /** If the check of the processes is this late, the machine was asleep. */
    asleep: minute,
    /** A process may still become a CLI (`exec`) this long after its start. */
    youngProcess: 10 * second,
    /** Panes whose command is remembered: more than anyone has open. */
    paneCommands: 1_000,
    /** A session file has a few hundred bytes. */
    sessionFileBytes: 64 * KiB,
    /** Models whose context window is remembered, and versions of the CLI for each: far more than anyone uses. */
    learnedWindows: 100,
    /** Interval of the scan for session files that the watcher missed. */
    sessionFileScan: 5 * second,
    /** A shutdown ends session and tmux server together. A server that still runs after this was not shut down with the session. */
    serverOutlivesAfter: 2 * second,
    /** Pause between two reads of a session's git branch: a busy session fires several hooks a second. */
    branch: 2 * second,
  },

  platform: {
    /** How long a row of `ps` is used on macOS before it is read again: a whole table costs about 10 ms. */
    moment: 300,
    /** Interval at which one `ps` looks for zombies and reused pids among the processes of all sessions. */
    background: 10 * second,
  },

  memory: {
    /** Interval of measuring the memory of all sessions while nobody reads it: one pass over all processes. */
    unseen: minute,
    /** A list that somebody asks for is no older than this. */
    maxAge: 10 * second,
    /** The same for a list with a session that was never measured. */
    firstMaxAge: second,
    /** Smaller changes are not published: the memory of a running CLI is never quite still. */
    change: 16 * MiB,
  },

  park: {
    /** Time for the CLI to end after SIGTERM. 2.1.325 may take over 5 s. */
    grace: 10 * second,
    /** Interval of the check for sessions that have been idle for `park.idleHours`. */
    check: 5 * minute,
    leastCheck: second,
  },

  session: {
    /** Tags of one session: more do not fit on any screen. */
    tags: 20,
  },

  denied: {
    /** Denied calls of one session that a list reads, and of all sessions that it shows. */
    rows: 1_000,
    /** Of their payloads, of one session: a command may be large. */
    bytes: 8 * 1024 * 1024,
    rules: 100,
  },
  deadlines: {
    /** A dialog appears up to a second after its hook; under load later. */
    interval: 700,
    looks: 8,
    /** Between two pictures of a dialog: a countdown in seconds must have changed. */
    tick: 1_200,
  },
  panes: {
    /** Interval of the pane scan: a dialog at startup must be known within 3 s. */
    scan: 2 * second,
    /** Interval while a tmux server is active: a renamed window must be known within a second. */
    activeScan: 800,
    /** Interval where it is not known whether a tmux server is active, as on macOS. */
    idleScan: 5 * second,
    /** Interval while no tmux server does anything at all. */
    quietScan: 30 * second,
    /** Activity of a server within this time after a scan was caused by the scan. */
    ownActivity: 50,
    /** Interval and number of scans while a CLI without a session file is starting. */
    startingScan: 300,
    startingScans: 40,
  },

  transcript: {
    /**
     * Pauses between reads of a transcript that does not say yet how a turn ended. It is written 100 ms late.
     * The late ones are for a machine under load.
     */
    endReads: { early: [60, 60, 80, 150], late: [300, 1_000, 3_000] },
    /** Interval of the check of transcripts of waiting sessions that have no session file. */
    progressScan: 2_000,
    /** The turn of such a session is over when its transcript ends with an answer and has not grown for this long. */
    progressQuiet: 10_000,
    /** From the end of a turn to the reads of its token usage. The line comes a median of 50 ms after Stop. */
    usageReads: [70, 200, 500],
    /** Pauses between reads for the generated title after the first turn. */
    titleReads: [1_500, 3_000, 10_000],
    /** Bytes read from the start, to learn where and how a session began. A first prompt may contain a whole file. */
    headBytes: 256 * KiB,
    /** Bytes read from the end, for the last message. 2.1.328 writes 70 KiB more after the first answer. */
    tailBytes: 256 * KiB,
    /** The same for a list, which reads up to ten thousand transcripts. Where the end has no message, `tailBytes` are read. */
    listHeadBytes: 16 * KiB,
    listTailBytes: 16 * KiB,
    /** Characters of a prompt or answer kept for a list, which is in memory and searched at each key press. */
    listText: 1_000,
    /** Transcripts of one project checked for forks, newest first, and the bytes read of each. */
    forkFiles: 500,
    forkHeadBytes: 4 * KiB,
  },

  resume: {
    /** Directories read to decode a folder name. On real disks it is a handful. */
    decodeReads: 20_000,
    /** Sessions that ended within this time before the last one were lost in the same shutdown, which takes a minute or two. */
    lostTogether: 10 * minute,
    /** Lifetime of the lock on a session being started. By then it has a file or waits at a dialog. */
    startLock: minute,
    /** Time for the shell of a pane to start the CLI, on a busy machine. */
    cliStartTimeout: 10 * second,
  },

  projects: {
    /** Project folders whose newest transcript is read for the list of projects: each costs one small read. */
    read: 200,
    /** Projects that are listed: more than anyone searches through. */
    listed: 300,
  },

  search: {
    /** The indexer continues after this long without events. */
    quiet: 2 * second,
    /** Bytes indexed at once and the pause after them, so that a hook waits a few milliseconds at most. */
    chunkBytes: 256 * KiB,
    chunkPause: 10,
    /** Interval of the check for new or grown transcripts. */
    scan: 30 * second,
    /** Sessions returned by a search. */
    results: 50,
  },

  usage: {
    /** Bytes of a transcript read at once, in a worker thread: a query waits a few milliseconds at most. */
    chunkBytes: 2 * MiB,
    /** Longer lines are skipped: a message of a model has a few hundred kilobytes. */
    lineBytes: 64 * MiB,
    /** Interval of the check of busy sessions: a message counts within a second. */
    poll: 400,
    /** A session is checked this long after its last event. */
    settleTime: 3 * second,
    /** Pause between a status line and the read of one that was withheld: the script sends one a second. */
    late: 1.2 * second,
    lateSessions: 1_000,
    /** Files that the status lines of silent sessions left behind are removed after this. */
    seenAge: 7 * day,
    /** Pause before today's cost is written for the status line: by then the transcript has the message that triggered it. */
    facts: second,
    /** Pause before a change of the live sessions is passed on. */
    follow: 200,
    /** While somebody asks for figures, all transcripts are checked at most this often. */
    rescan: 5 * second,
    /** Interval of the check of all transcripts, for those of sessions that nothing else reports. */
    scan: 5 * minute,
    /** Messages are kept as long as finished waits. */
    age: 400 * day,
    /** Interval at which old ones are removed. */
    retain: hour,
    /** Memory of the worker, MB. */
    workerHeap: 192,
    /** Pause before a failed worker is started again. */
    restart: minute,
  },

  changes: {
    /** Text kept of one change: a few hundred lines. Its counts are always complete. */
    patchBytes: 64 * KiB,
    /** Text kept of all changes of one session, and of all sessions. Older patches are dropped, their counts stay. */
    sessionBytes: 8 * MiB,
    totalBytes: 256 * MiB,
    /** Changes listed of one session. The oldest are left out beyond this. */
    listed: 5_000,
    /** Text of patches in one answer. */
    answerBytes: 4 * MiB,
    /** Texts that are compared where a tool gives no patch. More takes too long inside a commit. */
    compareBytes: 64 * KiB,
    notebookBytes: 2 * MiB,
    /** The kernel's longest path. */
    pathLength: 4_096,
    /** Characters of a prompt that name a turn. */
    promptText: 100,
    /** Pause before the counts of a row are read again: tools change files in bursts. */
    count: 150,
    /** Two sessions that change one file within this time collide. */
    collision: 30 * minute,
    /** Collisions that are listed for one session. */
    collisions: 20,
    /** Rows of the log searched at once for changes from before this feature, and the pause after them. */
    backfillRows: 500,
    backfillBytes: 8 * MiB,
    backfillPause: 50,
    /** Time for one run of git. A large repository takes a second or two. */
    gitTimeout: 10 * second,
    /** Output of git that is read. */
    gitBytes: 8 * MiB,
    /** Largest index that is copied for git: millions of files. */
    indexBytes: 256 * MiB,
    /** Runs of git at a time. */
    gitRuns: 2,
    /** Files of one turn that are inferred. A build that creates more is not worth listing. */
    inferred: 200,
    /** Periods in which a session ran shell commands, remembered of one turn. */
    shellPeriods: 500,
    /** File times may differ from the times of hooks by this much. */
    fileTime: 20,
    /** A tool has written its file this long before its hook arrives, at most. */
    toolWriteLead: 3 * second,
    /** Time for reading all folders of one worktree. */
    sizeTimeout: 5 * second,
  },

  notify: {
    /** Timeout of one notification. */
    timeout: 10 * second,
    /** Sessions that become due within this time after the first share its notification. */
    together: second,
    /** A due notification is postponed by this while somebody looks at the session. */
    recheck: 15 * second,
    /** A page reports every 10 s which session it shows in a focused tab. A report is valid for this long. */
    pageSight: 25 * second,
    /** Characters of a title in a chat message. */
    title: 200,
    /** Announcements that are kept for the end of quiet hours: more than anyone reads. The oldest go first. */
    announcements: 50,
    /** Entries of the log of notifications: months of a busy person, and small enough to keep in memory. */
    logEntries: 2_000,
    /** Characters of a failure that the log keeps. */
    reasonText: 300,
  },

  mcp: {
    /** Interval of progress notifications during a wait. Clients give up after a minute without one. */
    progress: 5 * second,
    /** How long a tool that waits for an answer waits for a daemon that is started again. */
    daemonAway: 30 * second,
    /** An answer that comes sooner than this was not waited for. */
    atOnce: second,
    /** Characters of messages in one result: about 20,000 tokens. Claude Code accepts 25,000 from a tool. */
    conversationText: 80_000,
    /** Characters of any result. It is sent twice, once escaped, and the SDK's client closes the connection at 10 MiB. */
    resultText: 1_000_000,
    /** Messages of a transcript that is read as a resource. */
    transcriptMessages: 200,
    /** Characters of a name or search: they become part of an address, of which a server takes 16 KB, up to nine bytes each. */
    addressText: 1_000,
    /** Time for `claude mcp add` and `remove`, which start a whole CLI. */
    register: minute,
  },

  push: {
    /** Notifications for one notice; a notice for more sessions becomes a digest. */
    messages: 4,
    /** How long a push service keeps a notification for a device that is out of reach. */
    ttl: hour,
    /** Keys for answering from a notification, and how long they are valid: as long as a push service keeps a notification. */
    keys: 1_000,
    keyAge: hour,
    /** Lines that fit into a desktop notification, the smallest kind. */
    rows: 5,
    columns: 40,
    /** Characters sent. A push service takes 4 KiB, and a character of JSON has up to 6 bytes. */
    titleLength: 80,
    bodyLength: 500,
  },

  wake: {
    /** One attempt to reach an agent, the attempts, and the pause after the first, which doubles. */
    timeout: 2 * minute,
    attempts: 3,
    retryPause: 2 * second,
    /** Interval of the check for a delivery that an earlier daemon started. */
    deliveryPoll: 100,
    /** Bytes kept of an agent's response. */
    responseBytes: 64 * KiB,
    /** A message on a command line: the kernel allows 128 KiB per argument. */
    messageBytes: 120 * KiB,
    /** Content of one wake, so that the sections after it always fit. An agent reads all of it. */
    contentBytes: 24 * KiB,
    /** Pane text of one wake: 1,000 rows of 80 characters. */
    paneBytes: 80 * KiB,
    /** Wakes sent to one agent within `burstWindow`. More are gathered, for `gather` at most. */
    burst: 3,
    burstWindow: second,
    gather: 5 * second,
    /** How long the wake of a finished turn waits for the count of its tokens, and for how many sessions counts are remembered. */
    countWait: 400,
    counts: 1_000,
    /** Gathered wakes sent in full; more become a digest. */
    fullWakes: 4,
    /** Wakes withheld because sessions wake each other are sent as one message after this. */
    withheld: hour,
    /** Pane lines compared with the previous screen, or sent, whatever `pane_capture_lines` says. */
    paneLines: 1_000,
    /** Reads of a pane, and the pause between two, until it shows the dialog of a request: 1.2 s on a loaded machine. */
    dialogReads: 24,
    dialogPoll: 50,
    /** Wakes are remembered this long, for `drover wake log` and to send none twice. */
    age: 30 * day,
  },

  tmux: {
    /** Pause between two batches to one server: at most eight processes a second. */
    batchPause: 125,
    /** Timeout of a tmux command. */
    timeout: 3 * second,
    /** Text within one tmux command. Longer text goes through a pipe. */
    commandText: 8 * KiB,
    /** Pause between a key's signal and reading what it requested. */
    keyRequestPause: 60,
    /** Time for an exiting server to be gone. */
    exit: 50,
    /** Sessions of the queue that tmux keys can reach. */
    listed: 9,
    /** Panes remembered whose process is not known yet. The oldest is dropped. */
    unplacedPanes: 200,
  },

  /** What `drover report` shows. */
  report: {
    errors: 50,
    sessions: 100,
    events: 300,
    /** The end of the daemon's log that is read. */
    logBytes: 1000 * 1000,
  },

  daemon: {
    /** Interval of maintenance. */
    maintenance: 10 * second,
    /** After the last write to config.json, until it is read: some programs empty a file before they write it. */
    configDebounce: 200,
    logBytes: 5 * 1000 * 1000,
    logFiles: 5,
    /** How long `drover up` waits for an answer, and `drover down` for the exit. */
    startTimeout: 10 * second,
    /** How long any other command waits for a daemon that is reading its log, before it says so. */
    startingPatience: 3 * second,
    stopTimeout: 15 * second,
    /** How long a command waits for an answer. */
    answerTimeout: 30 * second,
  },

  doctor: {
    /** How long `drover doctor --at` waits for an answer. A tunnel may have to connect first. */
    probe: 10 * second,
    /** Characters read of an answer: an error has a few hundred. */
    answerText: 4_096,
  },

  page: {
    /** Validity of a ticket from `drover open`. A browser starts in seconds; fetching a phone takes a minute. */
    ticketAge: 2 * minute,
    tickets: 20,
    /** How long `drover open` waits for a browser to sign in before it prints the address. */
    signIn: 5 * second,
    /** How long a browser stays signed in. The oldest is signed out beyond `browsers`. */
    age: 30 * day,
    browsers: 20,
    /** How long a paired device stays signed in without being used: it is paired once. */
    deviceAge: 365 * day,
    /** How often the time at which a device was last seen is written. */
    seenInterval: minute,
    /** Tabs of one browser that signed in with their own ticket. */
    tabs: 20,
    /** Open channels of one browser: tabs, and its service worker. The oldest is closed, and its tab opens another. */
    channels: 60,
    /** A request of a page that arrives later than this is refused; the page opens another channel and asks again. */
    requestAge: 30 * second,
    /** How far requests of one page may overtake each other. */
    requestWindow: 1_000,
    namedTokens: 100,
  },

  print: {
    /** Largest prompt: what `claude` accepts from a pipe. */
    promptBytes: 10 * MiB,
    /** Interval at which a run checks its session, besides its watchers. */
    poll: 100,
    /** A Stop is final after this where no session file confirms it. */
    stopSettle: 300,
    /** File times have a resolution of 4 ms: a session file's time may be slightly before that of the Stop. */
    stopSlack: 10,
    /** A hook of the user may answer a dialog. After this only a human could. */
    dialogGrace: second,
    /** Interval and number of checks whether a request is held. The waiting hook starts within a second. */
    heldPoll: 2 * second,
    heldPolls: 2,
    /** Time for the daemon to learn of a new session, and the interval of the check. */
    sessionKnown: 3 * second,
    sessionKnownPoll: 30,
    /** Time for a paste to appear, plus one ms for each `pasteBytesPerMs`: 5 MB took 12 s. */
    pasteTimeout: 4 * second,
    pasteBytesPerMs: 100,
    /** Interval of the screen check while the CLI starts. */
    startPoll: 250,
    /** The CLI exits 15 to 40 ms after SIGTERM. A SessionEnd hook of the user may take longer. */
    exitGrace: 2 * second,
    /** A transcript is up to 120 ms late at a Stop, and over a second under heavy load. */
    flushTimeout: 3 * second,
    flushPoll: 5,
    /** Reads of the last screen of a CLI that has exited, the pause between them, and the rows kept. */
    lastScreenReads: 8,
    lastScreenPause: 50,
    lastScreenRows: 50,
    /** Leftovers of a run are removed by the next run after `leftoverAge`, by `--check --clean` after `leftoverClean`. */
    leftoverAge: minute,
    leftoverClean: hour,
  },

  warm: {
    /** A reserved warm session must be used within this, or it is stopped. */
    reserved: 5 * second,
    /** Pause before a used session is replaced. */
    refill: second,
    /** Interval of the check for sessions that have ended or expired. */
    check: 5 * second,
    /** Each session needs 200 MB or more. */
    maxSessions: 16,
  },

  approvals: {
    /** The timeout of PermissionRequest hooks. Of 4,294,968 s Claude Code 2.1.197 makes no time at all; 2,147,483 s work in every version. */
    requestTimeout: 7 * day,
    /** Default and maximum time for which a request is held: the hook is released before the CLI ends it. */
    hold: 7 * day - 10 * minute,
    /** The timeout of Stop and PreCompact hooks, which hold up a session. */
    hookTimeout: 10 * minute,
    /** The CLI may await a background subagent's hook before it shows a dialog, so these are held only briefly. */
    subagentHold: 5 * second,
    /** Time from an event to its waiting hook, which is connected just after the commit. */
    hookConnectTimeout: 5 * second,
    /** An event older than this has no waiting hook any more. */
    hookFresh: 15 * second,
    /** Interval of the check whether the CLI has ended a waiting hook. */
    hookCheck: 2 * second,
    /** Time for it to become known how a request ended whose hook is gone, or whose dialog has just closed. */
    endKnown: second,
    /** Time for something to show that Claude Code took the decision of a hook, and the interval at which its transcript is checked. */
    effect: 5 * second,
    effectPoll: 30,
    /** Added to the longest answer of an agent: time to start, and to pass the answer on. */
    answerMargin: 30 * second,
  },

  message: {
    /** Largest message: as large as a prompt. */
    maxBytes: 10 * MiB,
    /** Messages queued for one session. */
    queued: 100,
    /** Time for a paste to appear in the prompt. 100 KB take half a second under load. */
    pasteTimeout: 5 * second,
    /** Attempts of a paste that was certainly not accepted. */
    pasteAttempts: 3,
    /** From Enter to UserPromptSubmit. After that the outcome is unknown. */
    submitTimeout: 10 * second,
    /** Time for a turn's token usage to appear in the transcript, and the interval of the check. */
    usageTimeout: second,
    usagePoll: 20,
    /** Time for a message typed into a busy session to appear in the transcript. */
    acceptedTimeout: 3 * second,
    /** How long receipts are kept. */
    receiptAge: 30 * day,
    /** After a restart: time for which a prompt must stay empty before a message counts as never typed. */
    neverTyped: 2 * second,
    /** The same after a paste that did not appear: a CLI without CPU time may still show it. */
    pasteLost: 15 * second,
    /** The same where the session's hooks do not reach us: the transcript is written later. */
    neverTypedNoHooks: 6 * second,
    /** How long recovery tries to find out the outcome of a message. */
    recovery: 30 * second,
    /** Time for a prompt that Esc restores to appear, or for erased text to disappear, and the interval of the check. */
    restoredPrompt: 300,
    restoredPromptPoll: 25,
  },

  prompt: {
    /** Time for a prompt to appear during a start or a repaint, and the interval of the check. */
    appearTimeout: 20 * second,
    poll: 100,
    /** Time for another program to leave the foreground of the pane: some take it for a moment, as during a start. */
    foregroundWait: 3 * second,
    /** A draft counts after this: submitted text disappears shortly after UserPromptSubmit. */
    draftSettle: 400,
    /** Characters of a long text that the prompt shows. */
    shown: 8_192,
  },

  start: {
    /** Time for a new session to accept a prompt. */
    ready: minute,
    /** Interval of the prompt check once a session is up. */
    readyPoll: 25,
    /** Time for an interrupted start of an earlier daemon to appear: tmux itself had 3 s for it. */
    interrupted: 3 * second,
    /** How long the path of the CLI is cached. */
    cliPathAge: minute,
  },

  stop: {
    /** SIGTERM lets the CLI write its state; SIGKILL follows. */
    grace: 5 * second,
    kill: 2 * second,
    /** From Esc to the state that shows it. */
    interrupt: 5 * second,
    /** The screen of an ended session stays this long for clients that wait for it. */
    endedScreen: second,
  },

  screen: {
    /** Interval of the check whether a key had its effect. */
    poll: 15,
    /** From the hook that announces a dialog to the dialog on the screen, on a busy machine. */
    painted: 5 * second,
    /** The same for a reader, who can read again. */
    paintedToRead: 0.7 * second,
    /** Time for a terminal to be painted again after it was resized. */
    repainted: 0.4 * second,
    /** 2.1.325 ignores keys in a dialog for 0.75 s after a prompt was submitted. */
    keysIgnoredAfterPrompt: 0.85 * second,
    /** It also ignores keys for this long after the key that answered the previous dialog. */
    keysIgnoredAfterAnswer: 0.3 * second,
    /** A selection that moved within this time belongs to somebody who is using the terminal. */
    inUse: 1 * second,
    /** Time from a tool call to its dialog. Until then 2.1.197 may show that dialog on top of the current one. */
    dialogDelay: 0.4 * second,
    /** A key without an effect after this time was ignored; a slow machine takes half of it. */
    keyEffect: 1.5 * second,
    /** The same on 2.1.325, which ignores a second key that follows too soon: it can be pressed again earlier. */
    ignoredKey: 0.5 * second,
    /** Interval of the check that a closed dialog stays closed. */
    gonePoll: 60,
    /** How often a key that was ignored is pressed again. */
    keyTries: 5,
    /** Time for the event or file that confirms that a dialog has closed. */
    confirmed: 0.6 * second,
    /** The longest time for that event. An answer that nothing confirms has failed. */
    closed: 5 * second,
    /** A hook that was fired before the session file changed may be read this much after it. */
    hookLag: 0.2 * second,
  },

  menu: {
    /** Time for a key to have an effect. A new dialog ignores keys for 0.75 s. */
    keyTimeout: 1.2 * second,
    /** Time for all keys of one answer: 40 keys, more than a dialog needs. */
    keysTimeout: 48 * second,
    /** Interval of the menu check. */
    poll: 40,
    /** From the last key of an answer to the PostToolUse that confirms it. */
    answerTimeout: 15 * second,
  },

  continuation: {
    /** How far ahead a message is scheduled, unless the caller allows more. */
    ahead: 6 * hour,
    /** How far ahead a caller may allow: the longest quota has a week. */
    maxAhead: 8 * day,
    /** The announcement of 2.1.325 is painted a moment after the hook. */
    screenReads: [0.3 * second, 1.5 * second, 6 * second, 20 * second],
    /** Time for the session file to say that a menu has closed. */
    menuCloseTimeout: 10 * second,
    /** A message that could not be sent is tried again, each time after a longer pause. */
    tries: 5,
    retry: 20 * second,
    /** A message that would be sent later than this is cancelled: after a long sleep of the machine nobody expects it. */
    late: hour,
    /** Interval at which a message that is due later is checked again. */
    recheck: day,
  },

  command: {
    /** A slash command without any sign of a turn for this long started none. */
    quiet: 3 * second,
    /** Characters kept of an answer in a command list. */
    resultText: 200,
    /** Finished command lists remembered. The oldest is dropped. */
    finishedRuns: 100,
  },

  keyboard: {
    /** Keys closer together than this were not pressed by a person: key repeat is 25 ms or more. */
    burstGap: 15,
    /** Time for the rest of an escape sequence. A lone Esc is the key. */
    escapeGap: 25,
    /** A paste without its end mark ends after this. */
    pasteTimeout: 2 * second,
    /** Characters accepted of a paste. A text field of the board holds fewer. */
    pasteText: 16_384,
  },

  fleet: {
    /** Interval of a host's heartbeat. */
    card: 10 * second,
    /** Shortest pause between two of them when its counts change. */
    cardSoon: second,
    /** A host without a heartbeat for this long is away. */
    away: 30 * second,
    /** Smaller differences of clocks are not shown. */
    shownSkew: 2 * second,
    /** Clocks of two hosts may differ by this much after correction, before a command counts as expired. */
    clockTolerance: 5 * second,
    /** Rows and cards stay on the broker for this long after their last change. */
    rowAge: 8 * day,
    /** A viewer ignores larger rows and cards, and more rows of one host: a row has about 1 KB. */
    messageBytes: 16 * KiB,
    rowsOfHost: 5_000,
    rowBytes: 256 * MiB,
    logAge: 7 * day,
    logBytes: 2 * 1024 * MiB,
    rosterBytes: 16 * MiB,
    /** Time for the broker to store a message, and to answer a query about a stream. */
    storeTimeout: 3 * second,
    apiTimeout: 3 * second,
    connectTimeout: 5 * second,
    /** Interval of pings. A connection that answers neither of two is lost. */
    ping: 10 * second,
    /** Pause before a reconnect: between these, at random. */
    reconnect: 250,
    maxReconnect: 10 * second,
    /** Longest pause while the broker refuses the login, and the number of refusals in a row after which the connection counts as refused: about 15 s. */
    maxRefusedReconnect: 5 * minute,
    refusedAfter: 6,
    /** Longest pause before a stream is read again: a cluster elects a new leader within seconds. */
    maxReadRetry: second,
    /** Messages that are requested ahead of a stream. */
    readAhead: 2_000,
    /** Interval of the broker's heartbeats to a reader. After two missing ones it is opened again: within 15 s, even if the broker needs a second attempt. */
    readerHeartbeat: 2 * second,
    /** Pause before a request without a receiver is sent again: the broker may not know a new subscription yet. */
    requestRetry: 150,
    askTries: 3,
    /** Rows that are published at a time. */
    publishBatch: 128,
    /** Rows that are verified at a time: the threads of libuv, without a queue that would delay requests. */
    verifyBatch: 16,
    /** Rows are followed for this long after they were last read. */
    followPeriod: 60 * second,
    /** The message of an unknown host waits this long for the list of members, while that is being read. */
    rosterWait: 2 * second,
    /** Readers of the outlines of all hosts: each reads all of them from the broker. */
    outlineReaders: 50,
    /** The first read waits this long for the rows, then shows what has arrived. */
    firstRowsWait: 2 * second,
    /** How long a command may take to reach its host. */
    commandExpiry: 20 * second,
    /** How long the key of an expired command is kept: it cannot be replayed after the clock was set back by less than this. */
    commandKeys: day,
    /** How long its answer may take, unless the route waits longer. The CLI waits longer for its daemon. */
    commandAnswer: 25 * second,
    /** How long a host may take to search its transcripts, before the others' matches are shown without its own. */
    searchAnswer: 5 * second,
    /** How long a host may take to grant a claim before `next` tries the next session. */
    claimAnswer: 2 * second,
    /** Bytes of one part of an answer: brokers accept 1 MiB. */
    answerPart: 512 * KiB,
    /** Largest answer. */
    answerBytes: 64 * MiB,
    /** The longest time that a route waits before it answers. A worker may take as long to answer a command. */
    maxAnswerTime: 15 * minute,
    /** Time to reach the broker, and for the answer to a request to join. */
    join: 20 * second,
    /** Time to reach an existing broker, or one on another machine, before a fleet is created on it. */
    reach: 6 * second,
    /** An admin tries to store the entry of a host for this long; the host waits longer for the answer. */
    enrol: 10 * second,
    /** Time until the daemon is connected after a join. */
    connected: 30 * second,
    /** Time for ssh to reach a machine and for a login shell there to find drover, and for the machine to join. */
    sshProbe: minute,
    sshJoin: 2 * minute,
    /** Time to bring the logins of a new member to a broker on another machine: a host waits longer for the answer to its request to join. */
    sshUsers: 8 * second,
    /** Pause before a lost tunnel is reopened. It doubles with each failure up to `maxTunnelRetry`, and starts over once a tunnel was up for `tunnelStable`. */
    tunnelRetry: second,
    maxTunnelRetry: minute,
    /** The same while the network or the machine is gone: it must be back within seconds. */
    tunnelLost: 5 * second,
    tunnelStable: 30 * second,
    /** Timeout of the message to an admin that this host leaves. */
    leave: 5 * second,
    /** Our own broker. */
    broker: {
      payload: 8 * MiB,
      memoryBytes: 64 * MiB,
      /** More than all streams together may hold. */
      diskBytes: 4 * 1024 * MiB,
      logBytes: 8 * MiB,
      start: 15 * second,
      stop: 10 * second,
      poll: 50,
      /** While it cannot be reached, the daemon checks this often whether it runs. */
      check: 2 * second,
      /** Time for what listens on a port to show its certificate. */
      probe: 2 * second,
      /** How long a removed host may still use the broker, so that it learns of its removal. */
      removed: 500,
      certificateDays: 20 * 365,
    },
    /** An invitation can be used for this long. */
    invitation: hour,
    /** Events of one batch of outlines, and events read at a time to find the first of the first batch. */
    outlineBatch: 200,
    outlineScan: 2_000,
    /** Changes of hosts are collected for this long before streams report them. */
    summary: 100,
    /** Details of waiting rows are fetched from a host at most this often, and may be this large. */
    details: 250,
    detailsBytes: 8 * MiB,
  },

  board: boardLimits,
} as const;
