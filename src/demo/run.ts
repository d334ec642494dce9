/** Run the demo: its environment, the daemon in this process, the players in their panes, and the board. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { prepareHome } from '../files/prepare-home.ts';
import type { Daemon } from '../daemon/run.ts';
import { installEmitter } from '../hook/emitter.ts';
import { programFile } from '../program-file.ts';
import type { Env } from '../paths.ts';
import { quote } from '../quote.ts';
import { channelOf, confText } from '../tmux/keys/conf.ts';
import { defaultKeys } from '../tmux/keys/keys.ts';
import { attachTo, demoConf, startDemoServer } from '../tmux/server/demo-server.ts';
import { scripts } from './scripts.ts';
import { type DemoEnvironment, createEnvironment, removeAbandonedDemos } from './environment.ts';

export interface Demo {
  url: string;
  environment: DemoEnvironment;
  /** Attach this terminal to the board until the person detaches. */
  showBoard: () => Promise<void>;
  close: () => Promise<void>;
}

const boardName = 'board';

/** Start the demo. A failure on the way removes everything. */
export const startDemo = async (env: Env, size: { columns: number; rows: number }): Promise<Demo> => {
  await removeAbandonedDemos(env);
  const demo = createEnvironment(
    env,
    scripts.map(({ project }) => project),
  );
  let daemon: Daemon | null = null;
  const close = async () => {
    await daemon?.stop().catch(() => {});
    await demo.close();
  };
  try {
    prepare(demo);
    // Imported at run time, like `drover up` does, so that the package contains the daemon once.
    const [{ readConfig }, { runDaemon }] = await Promise.all([
      import('../daemon/config.ts'),
      import('../daemon/run.ts'),
    ]);
    daemon = await runDaemon(demo.paths, demo.env, readConfig(demo.paths.config), 0);
    await startDemoServer(demo.socket, demo.paths.tmuxConf, sessions(demo), { env: demo.env, ...size });
    return {
      url: daemon.url,
      environment: demo,
      showBoard: () => attachTo(demo.socket, boardName, env),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Write the files that must exist before anything runs. */
const prepare = (demo: DemoEnvironment): void => {
  const { paths, path } = demo;
  prepareHome(paths);
  installEmitter(paths);
  const claude = join(path, 'claude');
  writeFileSync(claude, "#!/bin/sh\necho 'This is the demo: there is no Claude Code in it.'\nexit 1\n", {
    mode: 0o700,
  });
  const config = {
    claude,
    // Everything can be tried: requests can be answered from anywhere, and every session accepts messages.
    hold: { projects: [join(path, 'home')] },
    drive: 'all',
    tmuxSocket: demo.socket,
    autostart: false,
  };
  writeFileSync(paths.config, JSON.stringify(config), { mode: 0o600 });
  const conf = confText({
    keys: defaultKeys,
    border: true,
    channel: channelOf(paths.home),
    programs: { board: program('board'), panel: program('panel') },
  });
  writeFileSync(paths.tmuxConf, `${demoConf(hints, `${program('open')} --print`)}${conf}`, {
    mode: 0o600,
  });
};

const hints = 'prefix o: page · prefix B: back to the board · prefix d: end the demo';

const sessions = (demo: DemoEnvironment) => [
  { name: boardName, script: script(demo, boardName, `exec ${program('board')}`) },
  ...scripts.map(({ project }) => ({
    name: project,
    script: script(demo, project, `cd ${quote(demo.dir(project))} && exec ${player(project)}`),
  })),
];

/** Write a script file, so that arguments and environment are not visible on a command line. */
const script = (demo: DemoEnvironment, name: string, line: string): string => {
  const file = join(demo.path, `${name}.sh`);
  writeFileSync(file, `${line}\n`, { mode: 0o600 });
  return file;
};

const program = (verb: string): string => [process.execPath, programFile(), verb].map(quote).join(' ');

const player = (project: string): string =>
  [process.execPath, join(dirname(programFile()), 'player.js'), project].map(quote).join(' ');
