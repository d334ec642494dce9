/** A request of a held session, by the real emitter: its hook waits for the answer. */
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { startForEmitter } from '../platform/processes.ts';
import { emit, type Ran } from './emit.ts';
import { hookDraft } from './pipeline.ts';
import type { TestServer } from './server.ts';

/** Fires the hook of a call; resolves with its end. */
export const fireHeld = (
  { paths, ingest, receive }: TestServer,
  sessionId: string,
  call: Record<string, unknown>,
): Promise<Ran> => {
  ingest.prepare();
  writeFileSync(paths.pid, `${process.pid} ${hostname()} ${startForEmitter(process.pid)}\n`);
  const payload = { session_id: sessionId, hook_event_name: 'PermissionRequest', ...call };
  const ran = emit(paths, 'PermissionRequest', JSON.stringify(payload), {
    CLAUDE_CODE_SESSION_ID: sessionId,
  });
  const scan = setInterval(() => void receive.scan(), 20);
  return ran.finally(() => clearInterval(scan));
};

/** The same; resolves with what the hook prints, after Claude Code has done so: the tool ran, or the turn ended. */
export const fireAndFollow = async (
  server: TestServer,
  sessionId: string,
  call: Record<string, unknown>,
): Promise<unknown> => {
  const { stdout } = await fireHeld(server, sessionId, call);
  const isAllowed = stdout.includes('"behavior":"allow"');
  const draft = isAllowed ? hookDraft('PostToolUse', call) : hookDraft('Stop');
  await server.loop.append([{ draft: { ...draft, sessionId } }]);
  return stdout === '' ? null : (JSON.parse(stdout) as unknown);
};
