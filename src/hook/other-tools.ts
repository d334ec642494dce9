/**
 * Recognises hook events that do not come from Claude Code. Cursor can load Claude's user hooks ("third-party" configuration), and
 * fires them with payloads of its own. Only what no Claude Code sends counts: an event that might be Claude's is kept.
 */
import type { Draft } from '../contract/event.ts';
import { parseObject } from './payload.ts';

export class OtherTools {
  private ignored = 0;

  /** Events that were ignored since the daemon started. */
  get count(): number {
    return this.ignored;
  }

  /** Whether another tool fired it. Such an event is counted, and makes no session. */
  ignores(draft: Draft): boolean {
    if (draft.source !== 'hook' || !isFromCursor(draft.raw)) return false;
    this.ignored++;
    return true;
  }
}

/** Every hook payload of Cursor names its conversation and its folders, and most its version. */
const isFromCursor = (raw: Uint8Array): boolean => {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  // Most payloads are Claude's: they are not parsed again.
  if (bytes.indexOf('"cursor_version"') < 0 && bytes.indexOf('"workspace_roots"') < 0) return false;
  const { cursor_version: version, conversation_id, generation_id, workspace_roots } = parseObject(raw) ?? {};
  const isConversation = [conversation_id, generation_id].every(id => typeof id === 'string');
  return typeof version === 'string' || (isConversation && Array.isArray(workspace_roots));
};
