/** Every threshold, with its reason. */

const MiB = 1024 * 1024;
const second = 1000;
const day = 24 * 60 * 60 * second;

export const limits = {
  /** One event. Tool output makes payloads large; 20 MB has been seen in the field. */
  eventBytes: 24 * MiB,
  /** Any other request body: the largest is a prompt of 10 MiB. */
  bodyBytes: 12 * MiB,
  /** A body from a caller that has shown no token: the largest is the ticket of a page. */
  strangerBytes: 16 * 1024,
  /** The rest of a body that was refused is thrown away for this long, so that the client can read why. */
  refusedBody: 250,
  /** A POST body has to arrive within this. */
  bodyTime: 30 * second,
  /** The head of a request has to arrive within this, and an idle connection says something within it. */
  headTime: 5 * second,
  /** How often overdue requests are looked for. */
  overdueLook: second,
  /** Connections over TCP: every reader has one, and commands come beside them. */
  connections: 2_500,
  /** Of them, those that have shown no token yet: a crowd of readers that connects at once is not cut off. */
  strangers: 400,

  /** The spool while nobody reads it: about a week of a busy person, and well inside a small disk. */
  spoolFiles: 100_000,
  spoolBytes: 1024 * MiB,
  /** Given up on a full disk: some hundred events more, and room to count those that are lost. */
  reserveBytes: MiB,
  /** Files taken in one go: bounds memory and keeps the daemon answering while it drains. */
  spoolBatch: 500,
  /** Bytes taken in one go, beside the count. */
  spoolBatchBytes: 16 * MiB,
  /** The scan beside the watcher, for what a watcher loses. */
  spoolScan: 2 * second,
  /** A file without its end mark that has not grown for so long is torn: its writer is dead. */
  spoolTorn: 15 * second,
  /** What was moved aside: enough to look into a fault, not a second store. */
  asideFiles: 1_000,
  asideBytes: 64 * MiB,
  /** A POST has 2 s: what lies in `outgoing/` for longer was left by a hook that was killed. */
  outgoingAge: 60 * second,

  /** Copies of one hook firing (plugin and settings) are written within this of each other. */
  copyWindow: 10 * second,
  /** Firings whose copies are still recognised: more than Claude Code fires within the window. */
  copyFirings: 5_000,

  /** The clock was set when it moved by so much more or less than the time that went by: NTP steps at 128 ms. */
  clockStep: 100,
  /** How often that is looked at: a state must be right within 3 s. */
  clockLook: 1 * second,
  /** Retention believes a clock that jumped ahead by so much only after the daemon has run with it for so long. */
  clockJump: 10 * 60 * second,
  clockBelieved: day,

  /** A store that failed (locked, disk full) is tried again after so long: the state is right soon after the fault is over. */
  storeRetry: 500,
  /** Events of our own sources that wait for it meanwhile; past it the oldest goes. */
  recorderEvents: 20_000,

  /** Retention defaults (config `retention`). */
  keepAge: 30 * day,
  keepEvents: 1_000_000,
  keepBytes: 2 * 1024 * MiB,
  /** About what the state of a session takes that a cut leaves behind. */
  snapshotBytes: 4 * 1024,
  /** Of one session: a runaway one must not cost the others their history. */
  keepSessionEvents: 250_000,
  keepSessionBytes: 200 * MiB,
  /** Rows looked at in one step of a cut, so that ingest waits a few milliseconds at most. */
  cutStep: 2_000,
  cutBytes: 4 * MiB,
  cutEvery: 60 * second,
  /** Between two steps of a cut, so that ingest comes first. */
  cutPause: 20,
  /** Waits that are over, for `drover stats`: a year back, and the days around it. */
  waitAge: 400 * day,
  statsDays: 14,
  statsDaysAtMost: 400,
  /** The audit: how long its rows are kept without their texts, how many, how much of a text, and how many are read at once. */
  auditAge: 400 * day,
  auditRows: 200_000,
  auditText: 500,
  auditPage: 1_000,
  /** A delivery by POST may be repeated for so long and is still taken once. */
  repeatWindow: day,

  /** A reader's own queue: past it the reader is cut off and resumes by cursor. */
  readerBytes: 4 * MiB,
  readers: 2_000,
  /** Rows read at once for a replay. */
  replayPage: 500,
  /** Bytes of payload read at once for a replay. */
  replayBytes: 256 * 1024,
  /** Bytes of payload in one page of `GET /log`. */
  pageBytes: 4 * MiB,
  keepAlive: 15 * second,
  /** A reader that takes nothing of its replay for so long is cut off. */
  stalled: 30 * second,
  /** The end of a cleared session waits so long for the id that follows it. */
  clearWait: 5 * second,

  /** How often it is asked whether a process exists: a death must be known within 300 ms. Fifty of them cost 0.1 % of a core. */
  pulse: 200,
  /** How often it is looked up whether it is still the same process. */
  sweep: 2 * second,
  /** Claude folders watched, learned ones included. */
  claudeDirs: 16,
  /** A session without a process that can be looked at counts as lost after so long without a word. */
  lostAfter: day,
  /** Between two looks at the panes: a dialog at the start must be known within 3 s. */
  paneScan: 2 * second,
  /** Where no CLI and no tmux server has been started meanwhile, tmux is asked so much more rarely. */
  paneRest: 5 * second,
  /** A process may become a CLI (`exec`) within this of its start. */
  processYoung: 10 * second,
  /** Between two looks while a CLI without a session file is starting, and how often. */
  paneRescan: 300,
  paneLooks: 40,
  /**
   * A transcript that does not say yet how a turn ended is read again after these pauses: it is written 100 ms behind.
   * Late ones are for a machine on which all is slow.
   */
  transcriptLooks: { early: [60, 60, 80, 150], late: [300, 1_000, 3_000] },
  /** And for the tokens in use, this long after a turn's end. */
  usageLook: 500,
  /** A session file has a few hundred bytes. */
  sessionFile: 64 * 1024,
  /** A scan of all session files, beside the watchers. */
  fileScan: 5_000,

  /** One way of telling someone who is away has so long. */
  notifyTime: 10 * second,
  /** A session that is due while somebody looks at its pane is looked at again after so long. */
  notifyLook: 15 * second,

  /** One try to reach an agent, the tries, and the pause behind the first, which doubles. */
  wakeTime: 120 * second,
  wakeTries: 3,
  wakePause: 2 * second,
  /** Between two looks at a delivery that an earlier daemon began. */
  wakeLook: 100,
  /** What is kept of what an agent says to a wake. */
  wakeAnswer: 64 * 1024,
  /** A message on a command line: one argument ends at 128 KB, and an agent reads it all. */
  wakeBytes: 32 * 1024,
  /** Content of one wake, so that the sections behind it always fit. */
  wakeContent: 24 * 1024,
  /** Wakes that may go to one agent within a moment; what comes on top is gathered. */
  wakeBurst: 3,
  wakeMoment: second,
  /** Gathered so long at most. */
  wakeGather: 5 * second,
  /** So many go together in full; more are a digest. */
  wakeTogether: 4,
  /** What is withheld because sessions wake each other goes after so long, in one message. */
  wakeWithheld: 60 * 60 * second,
  /** Lines of a pane that are compared with what it showed before, or sent as they are. */
  wakePaneLines: 40,
  /** Wakes are remembered for so long: for `drover wake log`, and so that none is told twice. */
  wakeAge: 30 * day,

  /** Between two batches to one tmux server: eight processes a second at most, whatever the sessions do. */
  tmuxGap: 125,
  /** A tmux server answers within so long, or it does not at all. */
  tmuxAnswer: 3 * second,
  /** Text that goes to a tmux server within one command; more goes through a pipe of its own. */
  tmuxLine: 8 * 1024,
  /** Between a key's signal and the look at what it asked for. */
  wishPause: 60,
  /** A tmux server that is leaving has left after so long. */
  tmuxLeaves: 50,
  /** Sessions of the queue that tmux keys can walk. */
  tmuxListed: 9,
  /** Panes whose process is not known yet wait in a list of this length, the oldest goes. */
  tmuxUnplaced: 200,

  /** Directories that the decoder of folder names reads at most; on real disks it reads a handful. */
  decodeReads: 20_000,
  /** What is read of a transcript's beginning to learn where and how it began; a first prompt may hold a whole file. */
  transcriptHead: 256 * 1024,
  /** And of its end, for the last message. */
  transcriptTail: 64 * 1024,
  /** What a list reads of each transcript's beginning: ten thousand of them are read one after the other. */
  glanceHead: 16 * 1024,
  glanceTail: 16 * 1024,
  /** Characters of a prompt or an answer that a list keeps: ten thousand of them are in memory and searched with each key. */
  glanceText: 1_000,
  /** Transcripts of one project that are looked at for forks, the newest first. */
  forkLooks: 500,
  /** What is read of each for it at first. */
  forkHead: 4 * 1024,
  /** A tmux server that is still there so long after a session's end has outlived it: a shutdown ends both at once. */
  outliveWait: 2 * second,
  /** What ended within this of the last one went down with it: a shutdown gives everything a minute or two. */
  fallTime: 600 * second,
  /** A session started in a pane of its own is spoken for so long: by then it has a file, or waits at a dialog. */
  claimTime: 60 * second,

  /** Nothing has happened for so long: the search index may go on. */
  indexQuiet: 2 * second,
  /** Bytes of a transcript read at once for the index, and the pause behind them: a hook waits a few milliseconds at most. */
  indexPiece: 256 * 1024,
  indexPause: 10,
  /** Between two looks for transcripts that are new or have grown. */
  indexEvery: 30 * second,
  /** Sessions that a search gives back at most. */
  searchHits: 50,

  /** Between two rounds of tidying. */
  house: 10 * second,

  /** A prompt, as `claude` itself takes it from a pipe. */
  promptBytes: 10 * MiB,
  /** A prompt that may stand on a command line: `ps` stays readable, and one argument ends at 128 KB anyway. */
  promptArgument: 8 * 1024,
  /** A print run looks at its session so often, beside what watchers tell. */
  printTick: 100,
  /** A Stop is the last word after so long where there is no session file to say so. */
  stopSettle: 300,
  /** File times step by 4 ms: the session file's own time may seem a little before that of the Stop. */
  stopSlack: 10,
  /** A dialog may be answered by a hook of the user's; this long is no human. */
  dialogGrace: second,
  /** Between two looks whether a dialog is held, and how many in vain are enough: the hook that waits starts within a second. */
  heldLook: 2 * second,
  heldMisses: 2,
  /** A session that has just begun is known to the daemon within so long, looked for so often. */
  heldWait: 3 * second,
  heldTry: 30,
  /** A paste is on the screen after so long, and so much later for each byte over this many a ms: 12 s were seen for 5 MB. */
  pasteSeen: 4 * second,
  pasteSpeed: 100,
  /** Between two looks at a screen while the CLI starts. */
  startLook: 250,
  /** The CLI ends 15 to 40 ms after SIGTERM; a SessionEnd hook of the user's may take longer. */
  endGrace: 2 * second,
  /** A transcript lags up to 120 ms behind a Stop; a CLI that got a tenth of its time lagged by more than a second. */
  flushWait: 3 * second,
  flushLook: 5,
  /** Looks at the screen of a CLI that has just ended, for its last words. */
  lastWords: 8,
  lastWordsPause: 50,
  /** Rows of them that are kept: a screen. */
  lastRows: 50,
  /** Warm sessions: one that was claimed is taken within so long, or it ends. */
  warmTaken: 5 * second,
  /** After a claim so long goes by before another one is started. */
  warmRefill: second,
  /** Between two looks for those that have ended or waited too long. */
  warmLook: 5 * second,
  /** More at once would fill a small machine: each takes 200 MB and more. */
  warmAtMost: 16,
  /** A leftover of a run is swept by the next one after so long, and by `--check --clean` after an hour. */
  leftoverAge: 60 * second,
  leftoverClean: 60 * 60 * second,

  /** A ticket of `drover open` is used within so long: a browser starts in seconds, a phone is fetched in a minute. */
  ticketTime: 2 * 60 * second,
  tickets: 20,
  /** A browser that reads the file of `drover open` signs in within this time; where none does, the address is printed. */
  signIn: 5 * second,
  /** A browser is signed in for so long after it came with a ticket; past the count the oldest goes. */
  pageAge: 30 * day,
  pages: 20,
  /** Named tokens. */
  namedTokens: 100,
  /** Tabs of one browser that came with a ticket of their own. */
  pageTabs: 20,
  /** The spans of the timeline: as long as the events that told of them. */
  spanAge: 30 * day,
  /** The timeline reaches back so far at most. */
  timelineHours: 7 * 24,

  logBytes: 5 * 1000 * 1000,
  logFiles: 5,

  /** A Unix socket's path ends at 107 bytes. */
  socketPath: 107,

  /** A command waits so long for an answer of the daemon. */
  answer: 30 * second,
  /** A request is held so long unless the config says otherwise, and never longer: the CLI ends the hook after `holdHook`. */
  holdFor: 9 * 60 * second,
  holdAtMost: 9.5 * 60 * second,
  holdHook: 600 * second,
  /** The CLI may await the hook of a subagent in the background before it shows a dialog: held so long at most. */
  holdAgent: 5 * second,
  /** A hook that waits for an agent comes so long after its event at most: a node has to start. */
  waiterComes: 5 * second,
  /** An event that is older than this when it is heard has no hook that waits any more. */
  answerFresh: 15 * second,
  /** The waiter leaves by itself after this, whatever the daemon does. */
  waiterStays: 595 * second,

  /** `up` waits so long for the daemon to answer, `down` for it to go. */
  startWait: 10 * second,
  stopWait: 15 * second,
  /** Requests under way get so long to finish when the daemon stops. */
  drain: 2 * second,

  /** A message: as large as a prompt may be. */
  messageBytes: 10 * MiB,
  /** Until a paste is seen in the prompt line; 100 KB take half a second on a loaded machine. */
  messageSeen: 5 * second,
  /** A paste that was certainly not taken is made anew, so often in all. */
  typeTries: 3,
  /** From Enter to UserPromptSubmit; after that nobody knows what became of it. */
  messageSubmitted: 10 * second,
  /** A prompt line that is not there yet: a start or a repaint; looked for again after this. */
  promptLook: 100,
  /** And given up after this. */
  promptAppears: 20 * second,
  /** A draft counts when it stands so long: what was submitted last is wiped off a moment after UserPromptSubmit. */
  draftStays: 400,
  /** Of a long text in the prompt line a screen shows so many characters at most. */
  lineShown: 8_192,
  /** The transcript tells of a turn's tokens so long after its end at most, and is looked at so often. */
  usageSeen: second,
  usagePause: 20,
  /** And of a message that was typed while the session worked. */
  takenUp: 3 * second,
  /** After a restart: so long a prompt line must stay empty before a message counts as never typed. */
  neverTyped: 2 * second,
  /** And so long after a paste that is not to be seen: a CLI that gets no time to run may show it yet. */
  neverCame: 15 * second,
  /** And so long where its hooks do not reach us: the transcript is written later. */
  neverTypedUnheard: 6 * second,
  /** And so long it is tried to find out. */
  clearUp: 30 * second,
  /** A start that an earlier daemon was in the middle of shows within this: tmux itself had 3 s for it. */
  leftStart: 3 * second,
  /** Until a new session can take a prompt. */
  readyWait: 60 * second,
  /** Between two looks for the prompt line of a session that is up: it is there by then, or a look or two later. */
  readyLook: 25,
  /** Messages that may wait for one session. */
  messagesQueued: 100,
  /** Receipts are kept for so long. */
  receiptAge: 30 * day,
  /** A stop: SIGTERM lets the CLI write all it holds back; then SIGKILL. */
  stopGrace: 5 * second,
  stopKill: 2 * second,
  /** From Esc to the state that shows it. */
  interruptShown: 5 * second,
  /** A prompt that Esc puts back into the line is painted within this, and what is erased there goes within it. */
  putBack: 300,
  putBackLook: 25,
  /** A key in a menu shows within this, also where a dialog that has just come up is deaf for 0.75 s. */
  keyHeard: 1.2 * second,
  /** From the hook that tells of a dialog to the dialog on the screen; a busy machine takes its time. */
  dialogPainted: 5 * second,
  /** Between two looks at a menu. */
  keyLook: 40,
  /** From the last key of an answer to the PostToolUse that says what was taken. */
  answerTaken: 15 * second,
  /** A slash command that shows no sign of a turn for so long began none. */
  commandQuiet: 3 * second,
  /** Characters of an answer that a list of commands keeps. */
  commandResult: 200,
  /** Lists of commands that are remembered after their end, the oldest goes. */
  commandsKept: 100,
  /** The screen of a session that ended stays so long for whoever waits for it. */
  endedScreen: second,
  /** For so long the CLI that was found is not looked for again. */
  cliKnown: 60 * second,

  /** Keys closer together than this were not pressed by a person: key repeat is 25 ms and more. */
  burstGap: 15,
  /** The rest of an escape sequence comes within this; a lone Esc is the key. */
  escapeGap: 25,
  /** A paste whose end mark does not come is over. */
  pasteStall: 2 * second,
  /** Characters of a paste that are taken; a text field of the board holds fewer. */
  pasteLength: 16_384,
  /** Characters of a text field on the board, such as the message of a denial. */
  entryText: 2_000,
  /** A confirmation ignores Enter for so long: a key that was on its way was not meant for it. */
  confirmDelay: 400,
  /** A session that came under the cursor by itself is not acted on for so long: about as long as it takes to see it. */
  rowSettle: 300,
  /** After an entry closed by itself keys are ignored until there was so long a pause: they were meant for it. */
  closedEntryPause: 700,
} as const;
