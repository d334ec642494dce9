/** Store, loop and spool of a temporary home, without a server. */
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../clock.ts';
import type { Context, Draft, Event } from '../contract/event.ts';
import { Config } from '../contract/config.ts';
import { type Core, openCore } from '../daemon/core.ts';
import { type Ingest, openIngest } from '../daemon/parts/ingest.ts';
import { installEmitter } from '../hook/emitter.ts';
import type { Paths } from '../paths.ts';
import { claudeDirOf, tempHome } from './home.ts';

export interface Pipeline extends Pick<Core, 'paths' | 'store' | 'loop'>, Pick<Ingest, 'aside' | 'receive'> {
  core: Core;
  ingest: Ingest;
  errors: string[];
  events: () => Event[];
  /** Resolves when the log has this many events. */
  has: (count: number) => Promise<void>;
  close: () => Promise<void>;
}

export const openPipeline = async (
  paths: Paths = tempHome(),
  // Without `uptime`: a test that controls the time does not set the clock.
  clock: Clock = { now: () => Date.now() },
): Promise<Pipeline> => {
  const errors: string[] = [];
  const onError = (message: string, error: unknown) => void errors.push(`${message}: ${String(error)}`);
  const core = await openCore({
    paths,
    // Claude's folder and tmux of its own, which are not there.
    env: { HOME: dirname(paths.home), CLAUDE_CONFIG_DIR: claudeDirOf(paths), TMUX_TMPDIR: paths.home },
    config: Config.parse({ tmuxSocket: join(paths.home, 'no-tmux') }),
    clock,
    log: { info: () => {}, error: onError, errors },
  });
  const { store, loop } = core;
  installEmitter(paths, process.execPath, '/nowhere/main.js');
  const ingest = openIngest(core);
  const { aside, receive } = ingest;
  let open = true;
  const close = async () => {
    if (!open) return;
    open = false;
    await receive.close();
    core.close();
  };
  onTestFinished(close);
  const events = () => store.log.read({ after: 0, rows: 100_000 });
  return {
    core,
    ingest,
    paths,
    store,
    loop,
    aside,
    receive,
    errors,
    events,
    has: async count => {
      await loop.until(() => events().length >= count || undefined, { timeout: Number.POSITIVE_INFINITY });
    },
    close,
  };
};

/** Builds a hook event. */
export const hookDraft = (
  name: string,
  fields: Record<string, unknown> = {},
  context: Context = {},
  at = Date.now(),
): Draft => {
  const payload = { session_id: 'aaaaaaaa-0000-4000-8000-000000000001', hook_event_name: name, ...fields };
  return {
    at,
    source: 'hook',
    name,
    sessionId: String(payload.session_id),
    context,
    raw: Buffer.from(`${JSON.stringify(payload)}\n`),
  };
};
