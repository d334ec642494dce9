/**
 * The board without a screen: sessions and keys in, rows and commands out. Pure, so that the terminal and the page show the
 * same rows and have the same keys. The time is always passed in.
 */
export {
  type CommandId,
  commandOf,
  commands,
  helpRows,
  hintOf,
  isApplicable,
  tooltipOf,
} from './board/commands.ts';
export { changesLines, changesToLoad, isChangesEntry, withLoadedChanges } from './board/changes-panel.ts';
export { insertText } from './board/entry.ts';
export {
  changesLabel,
  collisionLabel,
  deferredLabel,
  groupLabels,
  linesLabel,
  isUnseen,
  titleOf,
  pastStateText,
  rowLabel,
  stateText,
  stateTone,
  type Tone,
  toneOf,
} from './board/labels.ts';
export { needsProjects, projectsIn } from './board/new-form.ts';
export {
  interruptedText,
  noNextText,
  pastVerbs,
  renamedText,
  resumedText,
  undoneText,
} from './board/outcome-text.ts';
export { openNextPanel, requestToLoad, withRequestPage, writtenIn } from './board/panel.ts';
export {
  choiceLines,
  nothingText,
  panelField,
  panelHint,
  panelLines,
  panelTitle,
} from './board/panel-text.ts';
export { canUndo, press, selectRow } from './board/press.ts';
export { detailLines, elsewhereToLoad, sessionToLoad } from './board/request.ts';
export {
  firstShown,
  type Group,
  type Row,
  rowsOf,
  selectedIn,
  selectedSession,
  sessionLookedAt,
} from './board/rows.ts';
export {
  type AnswerEntry,
  type Board,
  type ChangesEntry,
  emptyBoard,
  type Entry,
  isAnswerEntry,
  isTyping,
  type Link,
  type NewEntry,
  type SessionCommand,
  type SnoozeEntry,
  type BoardCommand,
} from './board/state.ts';
export {
  withChanges,
  endedShown,
  withDetails,
  withFleet,
  type Frame,
  overRequest,
  withOutcome,
  withRequests,
  withPaint,
  withSnapshot,
} from './board/update.ts';
