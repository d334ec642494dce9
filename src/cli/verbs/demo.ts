/** `drover demo`: shows board and page with scripted sessions in a temporary environment. */
import { DroverError } from '../../contract/error.ts';
import type { Demo } from '../../demo/run.ts';
import { openInBrowser, pageAddress } from '../../client/open-page.ts';
import { isNewEnough, tmuxVersion } from '../../tmux/server/version.ts';
import { type Call, flag } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  await checkTmux(call);
  // Registered first, so that every signal removes the demo before this process exits.
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
  if (!flag(call, 'json')) call.out('The demo has ended. Nothing was left behind.');
  return 0;
};

/** Prints the addresses, and opens the page with --page. */
const report = async (call: Call, { url, environment }: Demo, onScreen: boolean): Promise<void> => {
  const { path: folder, paths, socket } = environment;
  const page = await pageAddress(paths, url);
  const { address } = page;
  const opened = flag(call, 'page') && (await openInBrowser(paths, call.env, page)) === 'signed in';
  if (onScreen) return;
  if (flag(call, 'json'))
    call.out(JSON.stringify({ url, page: address, home: paths.home, socket, folder, pid: process.pid }));
  else {
    call.out(opened ? `Opened ${url} in your browser` : `Page: ${address}`);
    if (!opened)
      call.out(`It works once, within two minutes. For another one: DROVER_HOME=${paths.home} drover open`);
    call.out(`Board: DROVER_HOME=${paths.home} drover`);
    call.out('Ctrl-C ends the demo and removes everything.');
  }
};

const checkTmux = async ({ env }: Call): Promise<void> => {
  const version = await tmuxVersion(env);
  if (version === null || !isNewEnough(version))
    throw new DroverError(
      'unsupported',
      version === null ? 'tmux is not installed.' : `${version} is too old.`,
      'Install tmux 3.2 or newer.',
    );
};
