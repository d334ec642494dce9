/** Finds the session that an argument names: by a prefix of its id, else by its title, project, branch or a tag. */
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import { idParts, shortAddress } from '../../contract/origin.ts';
import type { Session } from '../../contract/session.ts';
import { shortId, startsWithId } from '../../contract/short-id.ts';
import { isIdPrefix, matchSessions } from '../../session/match.ts';
import { canAsk, choice, confirmAction } from '../output/question.ts';
import { quote } from '../../quote.ts';
import { type Call, firstArg, flag } from '../verb.ts';

export interface SessionArgOptions {
  /** For a verb that answers, ends or deletes something: what it does, such as `Stop`. A match by name is then confirmed first. */
  confirm?: string;
  /** What else the question shows of a session that is named like this, such as the request to answer. */
  details?: (id: string) => Promise<string | null>;
  /** If several sessions match a name and only one of them can be meant, it is taken. */
  canBeMeant?: (session: Session) => boolean;
}

/** Returns the id of the session that the first argument names. Asks where several match, or throws. */
export const sessionArg = (call: Call, options: SessionArgOptions = {}): Promise<string> =>
  sessionNamed(call, firstArg(call, 'session'), options);

export const sessionNamed = async (
  call: Call,
  given: string,
  options: SessionArgOptions = {},
): Promise<string> => {
  const { sessions } = await ask(call.paths, 'listSessions', { query: { match: given } });
  const byId = isIdPrefix(given)
    ? sessions.filter(({ id }) => startsWithId(idParts(id).own, idParts(given).own))
    : [];
  const [only, ...others] = byId;
  if (only && others.length === 0) return only.id;
  // Lists have the sessions of other hosts that run or are parked; their host knows the others too.
  if (!only && /^[0-9a-f][0-9a-f-]{5,}@[\w.-]+$/i.test(given)) return given;
  if (only)
    throw ambiguous(`${byId.length} sessions start with ${given}:`, byId, 'Use more digits of the id');
  const found = matchSessions(sessions, given);
  const { canBeMeant } = options;
  const meant = canBeMeant ? found.filter(canBeMeant) : [];
  return byName(call, given, meant.length === 1 ? meant : found, options);
};

const byName = async (
  call: Call,
  given: string,
  found: Session[],
  { confirm: action, details }: SessionArgOptions,
): Promise<string> => {
  const [first] = found;
  if (!first && /^[0-9a-f]{1,5}$/i.test(given))
    throw new DroverError('bad_id', `No session is called ${given}, and it is too short for an id.`);
  if (!first)
    throw new DroverError(
      'no_session',
      `No session matches ${JSON.stringify(given)}.`,
      '`drover ls -a` lists them.',
    );
  const maySelect = canAsk() && !flag(call, 'json');
  if (found.length > 1) {
    const why = `${found.length} sessions match ${JSON.stringify(given)}:`;
    if (!maySelect) throw ambiguous(why, found, 'Name one by its id');
    call.out(why);
    const chosen = await choice('Which one?', found.map(described));
    const session = found.find(one => described(one) === chosen);
    if (!session) throw new DroverError('refused', 'No session was chosen.');
    // The list shows sessions: whoever chose one has not seen its details.
    if (action !== undefined && details) await confirmFor(action, session, details);
    return session.id;
  }
  if (action === undefined) {
    call.err(described(first));
    return first.id;
  }
  if (!maySelect)
    throw new DroverError(
      'ambiguous',
      `${JSON.stringify(given)} is a name. Without a terminal Drover cannot ask whether it means ${described(first).replace(/ {2,}/, ' ')}.`,
      `Name the session by its id: \`${[`drover ${call.verb.name} ${shortId(first.id)}`, ...call.args.slice(1).map(shown), ...optionsText(call)].join(' ')}\`.`,
    );
  await confirmFor(action, first, details);
  return first.id;
};

const confirmFor = async (
  action: string,
  session: Session,
  details: SessionArgOptions['details'],
): Promise<void> => {
  const more = await details?.(session.id);
  if (!(await confirmAction(`${action} ${described(session)}${more ? `: ${more}` : ''}?`)))
    throw new DroverError('refused', 'Nothing was done.');
};

/** The options as a person would type them: without `--id` another request could be answered. */
const optionsText = ({ options }: Call): string[] =>
  Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? `--${name}` : [value].flat().flatMap(one => [`--${name}`, shown(one)]);
  });

/** An argument as a person would type it. */
const shown = (argument: string): string => (/^[\w:=.,/-]+$/.test(argument) ? argument : quote(argument));

const ambiguous = (why: string, found: Session[], hint: string): DroverError => {
  const more = found.length > 9 ? [`  and ${found.length - 9} more`] : [];
  const lines = found.slice(0, 9).map(session => `  ${described(session)}`);
  const isRemote = found.some(({ fleet }) => fleet !== undefined);
  return new DroverError(
    'ambiguous',
    [why, ...lines, ...more].join('\n'),
    isRemote ? `${hint}, or add \`@\` and the name of the host.` : `${hint}.`,
  );
};

/** Describes a session as `6c57b6f4  Payments, shop on main`. */
const described = ({ id, title, project, branch, state, parked }: Session): string => {
  const where = [project !== title ? project : null, branch && `on ${branch}`].filter(Boolean).join(' ');
  const over = parked ? ' (parked)' : state === 'ended' ? ' (ended)' : '';
  return `${shortAddress(id)}  ${title ?? '-'}${where ? `, ${where}` : ''}${over}`;
};
