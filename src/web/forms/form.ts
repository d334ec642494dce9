/** The form that is open over the page. */
export type Form =
  | { kind: 'new' | 'devices' }
  /** Answers one request; `isDenial`: with the message for a denial open. */
  | { kind: 'answer'; id: string; request: number; isDenial: boolean }
  /** A message to these sessions. */
  | { kind: 'message'; ids: string[] }
  | { kind: 'rename'; id: string }
  | { kind: 'tag'; ids: string[] }
  | { kind: 'snooze'; ids: string[] }
  /** Confirms that these sessions are parked. */
  | { kind: 'park'; ids: string[] }
  /** Confirms that the turn of this session is interrupted, or that the session is stopped. */
  | { kind: 'interrupt' | 'stop'; id: string };
