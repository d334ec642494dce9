/** `drover demo`: a day of scripted sessions in a world of its own, with the board and the page over it. */
import { DroverError } from '../../contract/error.ts';
import type { Demo } from '../../demo/run.ts';
import { openInBrowser, pageAddress } from './open.ts';
import { isNewEnough, tmuxVersion } from '../../tmux/server/version.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  await checkTmux(call);
  // From the first moment: whatever ends this process, the world goes first.
  const signalled = new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const)
      process.on(signal, () => resolve());
  });
  const onScreen = call.tty && process.stdin.isTTY === true && !flag(call, 'print') && !flag(call, 'json');
  const { startDemo } = await import('../../demo/run.ts');
  const demo = await startDemo(call.env, {
    columns: process.stdout.columns || 120,
    rows: process.stdout.rows || 36,
  });
  try {
    await report(call, demo, onScreen);
    await Promise.race([signalled, ...(onScreen ? [demo.showBoard()] : [])]);
  } finally {
    await demo.close();
  }
  if (!flag(call, 'json')) call.out('The demo is over, and nothing of it is left.');
  return 0;
};

/** Says where it is, and opens the page where that was asked for. */
const report = async (call: Call, { url, world }: Demo, onScreen: boolean): Promise<void> => {
  const { path: folder, paths, socket } = world;
  const page = await pageAddress(paths, url);
  const { address } = page;
  const opened = flag(call, 'page') && (await openInBrowser(paths, call.env, page)) === 'signed in';
  if (onScreen) return;
  if (flag(call, 'json'))
    call.out(JSON.stringify({ url, page: address, home: paths.home, socket, folder, pid: process.pid }));
  else {
    call.out(opened ? `The page is open in your browser: ${url}` : `The page: ${address}`);
    if (!opened)
      call.out(`It works once, within two minutes; DROVER_HOME=${paths.home} drover open gives another.`);
    call.out(`The board: DROVER_HOME=${paths.home} drover`);
    call.out('Ctrl-C ends the demo and takes all of it away.');
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
