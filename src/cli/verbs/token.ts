/** `drover token`: manages tokens. Without a daemon it edits the files, which the daemon reads at start. */
import { rmSync } from 'node:fs';
import { call as ask } from '../../client/call.ts';
import { ownerName } from '../../contract/caller.ts';
import { DroverError } from '../../contract/error.ts';
import { reservedOrigins } from '../../contract/origin.ts';
import { type Right, rights } from '../../contract/rights.ts';
import type { AddToken, NewToken } from '../../contract/token.ts';
import { tokenName } from '../../contract/token-name.ts';
import {
  addToken,
  newToken,
  readTokens,
  removeToken,
  renewToken,
  shownToken,
} from '../../files/token-file.ts';
import { tryDaemonFirst } from '../try-daemon-first.ts';
import { columns } from '../output/columns.ts';
import { ago } from '../output/format.ts';
import { type Call, flag, unknownAction, text } from '../verb.ts';

export const run = async (call: Call): Promise<number> => {
  const [action, name] = call.args;
  switch (action) {
    case 'add':
      return add(call, { name: checkedName(name), rights: rightsOf(text(call, 'scope')) });
    case 'ls':
      return list(call);
    case 'rm':
      return remove(call, checkedName(name));
    case 'rotate':
      return name === undefined ? rotateOwner(call) : rotate(call, checkedName(name));
    default:
      throw unknownAction(call, action);
  }
};

const add = async (call: Call, body: AddToken): Promise<number> => {
  const added = await tryDaemonFirst(call, ask(call.paths, 'addToken', { body }), () =>
    addToken(call.paths.tokens, body, Date.now()),
  );
  return show(call, added, `Token ${added.name} may ${added.rights.join(', ')}. It is shown only this once:`);
};

const rotate = async (call: Call, name: string): Promise<number> => {
  const renewed = await tryDaemonFirst(call, ask(call.paths, 'renewToken', { id: name }), () =>
    renewToken(call.paths.tokens, name, Date.now()),
  );
  return show(call, renewed, `Token ${name} was replaced. The new one is shown only this once:`);
};

/** Prints only the token on standard output, so that `token=$(drover token add …)` works. */
const show = (call: Call, token: NewToken, note: string): number => {
  if (flag(call, 'json')) call.out(JSON.stringify(token));
  else {
    call.err(note);
    call.out(token.token);
  }
  return 0;
};

const remove = async (call: Call, name: string): Promise<number> => {
  const removed = await tryDaemonFirst(call, ask(call.paths, 'removeToken', { id: name }), () =>
    removeToken(call.paths.tokens, name),
  );
  call.out(flag(call, 'json') ? JSON.stringify(removed) : `Removed ${name}`);
  return 0;
};

const list = async (call: Call): Promise<number> => {
  const { tokens } = await tryDaemonFirst(call, ask(call.paths, 'listTokens'), () => ({
    tokens: readTokens(call.paths.tokens).map(shownToken),
  }));
  if (flag(call, 'json')) call.out(JSON.stringify({ tokens }));
  else if (tokens.length === 0) call.out('No named tokens');
  else
    for (const line of columns([
      ['name', 'rights', 'created', 'last used'],
      ...tokens.map(token => [
        token.name,
        token.rights.join(','),
        `${ago(token.createdAt)} ago`,
        // The use is recorded to the minute.
        token.usedAt === null ? 'never' : `${ago(Math.max(token.usedAt, token.createdAt))} ago`,
      ]),
    ]))
      call.out(line);
  return 0;
};

const rotateOwner = async (call: Call): Promise<number> => {
  await tryDaemonFirst(call, ask(call.paths, 'rotateToken'), () => {
    newToken(call.paths.token);
    rmSync(call.paths.pages, { force: true });
    return { ok: true as const };
  });
  if (flag(call, 'json')) call.out(JSON.stringify({ ok: true }));
  else call.out(`Wrote a new token to ${call.paths.token}. All browsers are signed out.`);
  return 0;
};

const checkedName = (name: string | undefined): string => {
  if (name === undefined)
    throw new DroverError('usage', 'drover token: the name is missing.', 'See `drover token --help`.');
  if (name === ownerName)
    throw new DroverError(
      'usage',
      `drover token: ${ownerName} is the token in DROVER_HOME/token.`,
      '`drover token rotate` without a name replaces it.',
    );
  if (tokenName.test(name) && !reservedOrigins.includes(name)) return name;
  throw new DroverError(
    'usage',
    `drover token: ${JSON.stringify(name)} is not a valid name.`,
    `Use at most 40 letters, digits, dots, dashes and underscores; not "${reservedOrigins.join('" or "')}".`,
  );
};

const rightsOf = (scope: string | undefined): Right[] => {
  const given = scope?.split(',').map(right => right.trim()) ?? [];
  const unknown = given.find(right => !(rights as readonly string[]).includes(right));
  if (given.length > 0 && unknown === undefined) return given as Right[];
  throw new DroverError(
    'usage',
    unknown === undefined
      ? 'drover token add: --scope is missing.'
      : `drover token add: unknown right ${JSON.stringify(unknown)}.`,
    `Rights are ${rights.join(', ')}.`,
  );
};
