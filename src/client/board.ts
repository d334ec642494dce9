/**
 * The board without a screen: sessions and keys in, rows and wishes out. Pure, so that a terminal and a web page show the
 * same thing and obey the same keys. `now` is always given.
 */
export { insertText } from './board/entry.ts';
export { keys, press } from './board/press.ts';
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
  type Wish,
} from './board/state.ts';
export { changed, endedShown, type Frame, loaded, painted, told } from './board/update.ts';
