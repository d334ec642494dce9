/** A tmux that kills the daemon at one exact command. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DaemonOptions } from './drover.ts';
import type { World } from './world.ts';

/** Puts a tmux in front of the real one that does `does`, as a child of the daemon, on a command that matches the pattern `on`. */
export async function interceptTmux(world: World, on: string, does: string): Promise<DaemonOptions> {
  const { stdout } = await world.run('sh', ['-c', 'command -v tmux']);
  const folder = join(world.root, 'deadly');
  // Keys go as a line on standard input.
  const script = `real=${stdout.trim()}
case " $* " in *" source-file "*) input=$(cat) ;; esac
case " $* $input " in
${on}) ${does} ;;
*" source-file "*) printf '%s\\n' "$input" | "$real" "$@" ;;
*) exec "$real" "$@" ;;
esac
`;
  await mkdir(folder);
  await writeFile(join(folder, 'tmux'), `#!/bin/sh\n${script}`);
  await chmod(join(folder, 'tmux'), 0o755);
  return { env: { PATH: `${folder}:${world.env().PATH}` } };
}
