/**
 * `menu-driver.sh <tmux session> <action>`, with the arguments of gsd-code-skill. Each action becomes one of `drover menu`, so it is
 * checked against the screen, and no key goes to another program. Errors exit with 1, as there.
 */
import { call as ask } from '../client/call.ts';
import { clean } from '../client/text.ts';
import { ensureDaemon } from '../client/start.ts';
import { DroverError } from '../contract/error.ts';
import type { MenuAction, MenuView } from '../contract/menu.ts';
import type { Session } from '../contract/session.ts';
import { shortId, startsWithId } from '../contract/short-id.ts';
import { limits } from '../limits.ts';
import { type Paths, pathsFrom } from '../paths.ts';
import { pollUntil } from '../poll-until.ts';
import { capturePane } from '../tmux/server/capture.ts';

const usage = `Usage: menu-driver.sh <tmux session> <action>

Actions:
  snapshot              print the last 180 lines of the pane
  enter                 press Enter: choose the selected option, or submit the prompt
  esc                   leave the menu, or interrupt
  choose <n>            choose option n
  type <text>           type text and submit it
  submit                submit the chosen answers, or the prompt
  clear_then <command>  run /clear, then this command`;

/** Lines of a snapshot, as in the original. */
const snapshotLines = 180;

/** Runs one action and returns the exit code. */
export const runMenuDriver = async ([name = '', action = '', ...words]: string[]): Promise<number> => {
  const fail = (text: string): number => {
    process.stderr.write(`${text}\n`);
    return 1;
  };
  const text = words.join(' ');
  if (!name || !actions.has(action)) return fail(usage);
  if (action === 'choose' && !/^\d+$/.test(text)) return fail('choose requires numeric option');
  if ((action === 'type' || action === 'clear_then') && !text) return fail(`${action} requires an argument`);
  const paths = pathsFrom(process.env);
  try {
    await ensureDaemon(paths, process.env);
    const session = await sessionIn(paths, name);
    await act(paths, session, action, text);
    return 0;
  } catch (error) {
    const hint = error instanceof DroverError ? `\n  ${error.hint}` : '';
    return fail(clean((error as Error).message) + hint);
  }
};

const actions = new Set(['snapshot', 'enter', 'esc', 'choose', 'type', 'submit', 'clear_then']);

/** Finds the session by the exact name of its tmux session, else by its id. One that has just started is waited for. */
const sessionIn = async (paths: Paths, name: string): Promise<Session> => {
  const read = async (): Promise<Session[] | null> => {
    const sessions = await sessionsIn(paths, name);
    return sessions.length > 0 ? sessions : null;
  };
  const found = (await pollUntil(read, limits.print.sessionKnown, limits.print.poll)) ?? [];
  const [only, second] = found;
  if (!only) throw new DroverError('no_session', `session not found: ${name}`, 'See `drover ls`.');
  if (second)
    throw new DroverError(
      'ambiguous',
      `Several sessions are in ${name}: ${found.map(({ id }) => shortId(id)).join(', ')}.`,
      'Give the id of one instead of the name.',
    );
  return only;
};

const sessionsIn = async (paths: Paths, name: string): Promise<Session[]> => {
  const { sessions } = await ask(paths, 'listSessions', {});
  const live = sessions.filter(({ state, pane, origin }) => state !== 'ended' && pane !== null && !origin);
  const named = live.filter(({ pane }) => pane?.session === name);
  return named.length > 0 ? named : live.filter(({ id }) => startsWithId(id, name));
};

const act = async (paths: Paths, session: Session, action: string, text: string): Promise<void> => {
  const { id } = session;
  const press = (body: MenuAction) => ask(paths, 'actOnMenu', { id, body });
  const read = () => ask(paths, 'readMenu', { id });
  switch (action) {
    case 'snapshot':
      process.stdout.write((session.pane && (await capturePane(session.pane, snapshotLines)))?.text ?? '');
      return;
    case 'choose':
      await press({ action: 'choose', option: Number(text) });
      return;
    case 'clear_then':
      // Nobody waits for the commands, so check now for what would stop them.
      if ((await read()).draft) throw new DroverError('refused', 'The prompt line has a draft.');
      await ask(paths, 'runCommands', {
        id,
        body: { commands: ['/clear', text], wait: false, timeout: 600 },
      });
      return;
    case 'esc':
      // At an empty prompt there is nothing to leave.
      if ((await read()).menu || session.state === 'working') await press({ action: 'esc' });
      return;
    case 'type':
      await confirm(await press({ action: 'type', text }), press);
      return;
    case 'submit':
      await confirm(await read(), press);
      return;
    case 'enter': {
      const view = await read();
      if (view.draft === '') return;
      await press({ action: view.shows === 'prompt' ? 'submit' : 'enter' });
    }
  }
};

/** Submits what the screen holds: a prompt, the ticked answers, or the selected answer. */
const confirm = async (
  { menu, draft }: MenuView,
  press: (body: MenuAction) => Promise<MenuView>,
): Promise<void> => {
  if (!menu && draft === '') return;
  const hasSubmit = menu === null || menu.options.some(({ label }) => /^Submit(?: answers)?$/.test(label));
  const after = await press({ action: hasSubmit ? 'submit' : 'enter' });
  // Ticked answers lead to a review, on which the original's Enter submitted them.
  if (menu && isReview(after) && !isReview({ menu })) await press({ action: 'submit' });
};

const isReview = ({ menu }: Pick<MenuView, 'menu'>): boolean =>
  menu?.options.some(({ label }) => label === 'Submit answers') === true;
