/** A user's own hook that records every event it gets, so that a story can compare. */
import { readdirSync, readFileSync, watch } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { within } from './within.ts';
import type { World } from './world.ts';

/** Event names that both versions know: one that a CLI does not know stops its start. */
const hookNames = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStart',
  'SubagentStop',
  'Notification',
  'PreCompact',
  'Stop',
  'StopFailure',
  'SessionEnd',
];

export interface Witnessed {
  name: string;
  /** The name of its file: when it came, in nanoseconds, and the pid of its hook. */
  at: string;
  sessionId: string;
  payload: Record<string, unknown>;
  /** The payload as it came, byte for byte. */
  raw: string;
  /** From the hook's own process: its parent, and the variables of the same names. */
  ppid: number;
  claudePid: number | undefined;
  tmuxPane: string | undefined;
}

export interface Witness {
  /** What was recorded so far, in order. */
  events: () => Witnessed[];
  /** The first event, past or to come, that the predicate takes. */
  saw: (wanted: (event: Witnessed) => boolean, ms?: number) => Promise<Witnessed>;
}

/** Adds the hook to the user's settings; sessions that start from now on fire it. */
export async function witness(world: World, names = hookNames): Promise<Witness> {
  const folder = join(world.root, 'witness');
  const script = join(world.root, 'witness.sh');
  await mkdir(folder);
  await writeFile(script, hookScript(folder));
  await chmod(script, 0o755);
  const settings = join(world.home, '.claude', 'settings.json');
  const before = JSON.parse(await readFile(settings, 'utf8')) as { hooks?: Record<string, unknown[]> };
  // `exec` avoids a shell between the CLI and the script. Without a timeout SessionEnd has only 1.5 s.
  const entry = { hooks: [{ type: 'command', command: `exec ${script}`, timeout: 20 }] };
  const hooks = { ...before.hooks };
  for (const name of names) hooks[name] = [...(hooks[name] ?? []), entry];
  await writeFile(settings, JSON.stringify({ ...before, hooks }));

  const events = () =>
    readdirSync(folder)
      .filter(name => name.endsWith('.event'))
      .sort()
      .flatMap(name => parse(name, readFileSync(join(folder, name), 'utf8')) ?? []);
  return {
    events,
    saw(wanted, ms = 15_000) {
      const missing = () =>
        `no such hook in ${ms} ms; told: ${events()
          .map(event => event.name)
          .join(', ')}`;
      return within(ms, missing, found => {
        const look = () => found(events().find(wanted));
        const watcher = watch(folder, look);
        look();
        return () => watcher.close();
      });
    },
  };
}

const hookScript = (folder: string): string => `#!/bin/sh
file=${folder}/$(date +%s%N)-$$
{ echo "$PPID,$CLAUDE_PID,$TMUX_PANE"; cat; } > "$file.part"
mv "$file.part" "$file.event"
`;

/** Null when the CLI was killed before its hook got any input. */
function parse(at: string, text: string): Witnessed | null {
  const end = text.indexOf('\n');
  const [ppid, claudePid, tmuxPane] = text.slice(0, end).split(',');
  const raw = text.slice(end + 1);
  if (raw === '') return null;
  const payload = JSON.parse(raw) as Record<string, unknown>;
  return {
    name: String(payload.hook_event_name),
    at,
    sessionId: String(payload.session_id),
    payload,
    raw,
    ppid: Number(ppid),
    claudePid: claudePid ? Number(claudePid) : undefined,
    tmuxPane: tmuxPane || undefined,
  };
}
