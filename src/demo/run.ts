/** The demo's life: a world, the daemon in this process, the players in their panes, and the board. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { prepareHome } from '../daemon/register.ts';
import type { Daemon } from '../daemon/run.ts';
import { installEmitter, programFile } from '../hook/emitter.ts';
import type { Env } from '../paths.ts';
import { quote } from '../quote.ts';
import { channelOf, confText } from '../tmux/keys/conf.ts';
import { defaultKeys } from '../tmux/keys/keys.ts';
import { attachTo, demoConf, startDemoServer } from '../tmux/server/demo-server.ts';
import { play } from './play.ts';
import { type DemoWorld, makeDemoWorld, sweepDemos } from './world.ts';

export interface Demo {
  url: string;
  world: DemoWorld;
  /** Gives this terminal to the board until the person leaves it. */
  showBoard: () => Promise<void>;
  close: () => Promise<void>;
}

const boardName = 'board';

/** Starts it all; what fails half-way leaves nothing behind. */
export const startDemo = async (env: Env, size: { columns: number; rows: number }): Promise<Demo> => {
  await sweepDemos(env);
  const world = makeDemoWorld(
    env,
    play.map(({ project }) => project),
  );
  let daemon: Daemon | null = null;
  const close = async () => {
    await daemon?.stop().catch(() => {});
    await world.close();
  };
  try {
    furnish(world);
    // The same files that `drover up` loads: the package holds the daemon once.
    const [{ readConfig }, { runDaemon }] = await Promise.all([
      import('../daemon/config.ts'),
      import('../daemon/run.ts'),
    ]);
    daemon = await runDaemon(world.paths, world.env, readConfig(world.paths.config), 0);
    await startDemoServer(world.socket, world.paths.tmuxConf, acts(world), { env: world.env, ...size });
    return { url: daemon.url, world, showBoard: () => attachTo(world.socket, boardName, env), close };
  } catch (error) {
    await close();
    throw error;
  }
};

/** What has to stand in the world before anything runs in it. */
const furnish = (world: DemoWorld): void => {
  const { paths, path } = world;
  prepareHome(paths);
  installEmitter(paths);
  const claude = join(path, 'claude');
  writeFileSync(claude, "#!/bin/sh\necho 'This is the demo: there is no Claude Code in it.'\nexit 1\n", {
    mode: 0o700,
  });
  const config = {
    claude,
    // Everything can be tried: what is asked can be answered from anywhere, and every session takes messages.
    hold: { projects: [join(path, 'home')] },
    drive: 'all',
    tmuxSocket: world.socket,
    autostart: false,
  };
  writeFileSync(paths.config, JSON.stringify(config), { mode: 0o600 });
  const shown = confText({
    keys: defaultKeys,
    border: true,
    channel: channelOf(paths.home),
    board: program('board'),
  });
  writeFileSync(paths.tmuxConf, `${demoConf(hints, `${program('open')} --print`)}${shown}`, {
    mode: 0o600,
  });
};

const hints = 'prefix o the page · prefix B back to the board · prefix d ends it';

const acts = (world: DemoWorld) => [
  { name: boardName, script: script(world, boardName, `exec ${program('board')}`) },
  ...play.map(({ project }) => ({
    name: project,
    script: script(world, project, `cd ${quote(world.dir(project))} && exec ${player(project)}`),
  })),
];

/** A file, so that neither words nor environment stand on a command line. */
const script = (world: DemoWorld, name: string, line: string): string => {
  const file = join(world.path, `${name}.sh`);
  writeFileSync(file, `${line}\n`, { mode: 0o600 });
  return file;
};

const program = (verb: string): string => [process.execPath, programFile(), verb].map(quote).join(' ');

const player = (project: string): string =>
  [process.execPath, join(dirname(programFile()), 'player.js'), project].map(quote).join(' ');
