/** `drover demo`: a day of scripted sessions in a world of its own, with the board over it. */
import { DroverError } from '../contract/error.ts';
import type { Demo } from '../demo/run.ts';
import { isNewEnough, tmuxVersion } from '../tmux/version.ts';
import { type Call, flag } from './verb.ts';

export const run = async (call: Call): Promise<number> => {
  await checkTmux(call);
  // From the first moment: whatever ends this process, the world goes first.
  const signalled = new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)
      process.on(signal, () => resolve());
  });
  const onScreen = call.tty && process.stdin.isTTY === true && !flag(call, 'print') && !flag(call, 'json');
  const { startDemo } = await import('../demo/run.ts');
  const demo = await startDemo(call.env, {
    columns: process.stdout.columns || 120,
    rows: process.stdout.rows || 36,
  });
  try {
    if (!onScreen) report(call, demo);
    await Promise.race([signalled, ...(onScreen ? [demo.showBoard()] : [])]);
  } finally {
    await demo.close();
  }
  if (!flag(call, 'json')) call.out('The demo is over, and nothing of it is left.');
  return 0;
};

const report = (call: Call, { url, world }: Demo): void => {
  const { path, paths, socket } = world;
  if (flag(call, 'json'))
    call.out(JSON.stringify({ url, home: paths.home, socket, folder: path, pid: process.pid }));
  else {
    call.out(`The demo runs at ${url}; Ctrl-C ends it and takes it away.`);
    call.out(`The board over it: DROVER_HOME=${paths.home} drover`);
  }
};

const checkTmux = async ({ env }: Call): Promise<void> => {
  const version = await tmuxVersion(env);
  if (version === null || !isNewEnough(version))
    throw new DroverError(
      'unsupported',
      version === null ? 'There is no tmux on this machine.' : `This is ${version}.`,
      'Install tmux 3.2 or newer.',
    );
};
