/** One command to a tmux server of a world. */
import { tmuxErrorKind } from '../../src/tmux/server/tmux-error.ts';
import type { World } from './world.ts';

/** `flags` name the server; returns its output. An exiting server creates no session: the command is repeated on the next one. */
export async function askTmux(
  world: Pick<World, 'run' | 'home'>,
  flags: string[],
  args: string[],
  input = '',
): Promise<string> {
  const ask = () => world.run('tmux', [...flags, '-f', '/dev/null', ...args], { cwd: world.home, input });
  let said = await ask();
  const again = () =>
    args[0] === 'new-session' && said.code !== 0 && tmuxErrorKind(said.stderr) === 'serverExiting';
  for (let tries = 0; again() && tries < 20; tries++) said = await ask();
  if (said.code !== 0) throw new Error(`tmux ${args[0]}: ${said.stderr.trim()}`);
  return said.stdout;
}
