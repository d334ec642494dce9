/**
 * The board without a screen: sessions and keys in, rows and commands out. Pure, so that the terminal and the page show the
 * same rows and have the same keys. The time is always passed in.
 */
export { type CommandId, commands, helpRows, hintOf, isApplicable, tooltipOf } from './board/commands.ts';
export { insertText } from './board/entry.ts';
export { groupLabels, nameOf, rowLabel, stateTone, statusLabel, type Tone, toneOf } from './board/labels.ts';
export { press } from './board/press.ts';
export { confirmLines, confirmTitle, detailLines, sessionToLoad } from './board/request.ts';
export { firstShown, type Group, type Row, rowsOf, selectedIn, selectedSession } from './board/rows.ts';
export {
  type AnswerEntry,
  type Board,
  emptyBoard,
  type Entry,
  isAnswerEntry,
  isTyping,
  type Link,
  type SnoozeEntry,
  type BoardCommand,
} from './board/state.ts';
export {
  withChanges,
  endedShown,
  type Frame,
  withRequests,
  withPaint,
  withSnapshot,
} from './board/update.ts';
