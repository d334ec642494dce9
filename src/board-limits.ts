/** The limits of the board, in a separate file so that the page does not bundle all the others. Times are in milliseconds. */
export const boardLimits = {
  /** Characters of a text field, such as the message of a denial. */
  fieldText: 2_000,
  /** A confirmation ignores Enter for this long: a key already pressed was not meant for it. */
  confirmDelay: 400,
  /** A session that moved under the cursor is not acted on for this long: the time to notice it. */
  rowSettle: 300,
  /** After a field closed by itself, keys are ignored until a pause of this length: they were meant for it. */
  closedFieldPause: 700,
  /** A finished session that was selected for this long counts as looked at. Moving past it does not. */
  seenAfter: 1_500,
  /** Pause before the choices of a request that could not be answered are read again: its dialog may be on the screen by then. */
  choicesRetry: 1_000,
} as const;
