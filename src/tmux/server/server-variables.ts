import { tmux } from './run.ts';

/** Read variables from the environment that a tmux server gives to new panes. */
export const readServerVariables = async <Name extends string>(
  socket: string,
  names: readonly Name[],
): Promise<Partial<Record<Name, string>>> => {
  const { stdout } = await tmux(socket, ['show-environment', '-g']);
  const found: Partial<Record<Name, string>> = {};
  for (const line of stdout.split('\n')) {
    const name = names.find(wanted => line.startsWith(`${wanted}=`));
    if (name) found[name] = line.slice(name.length + 1);
  }
  return found;
};
