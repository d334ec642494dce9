/** `drover fleet`: several machines with one queue. */
import { DroverError } from '../../contract/error.ts';
import { type Call, unknownAction } from '../verb.ts';

/** Each action is loaded when it is used: only few need keys or the client of the broker. */
const actions: Record<string, () => Promise<{ run: (call: Call) => Promise<number> }>> = {
  init: () => import('../fleet/init.ts'),
  add: () => import('../fleet/add.ts'),
  token: () => import('../fleet/token.ts'),
  join: () => import('../fleet/join.ts'),
  ls: () => import('../fleet/ls.ts'),
  share: () => import('../fleet/share.ts'),
  leave: () => import('../fleet/leave.ts'),
  revoke: () => import('../fleet/revoke.ts'),
  accept: () => import('../fleet/accept.ts'),
  place: () => import('../fleet/place.ts'),
  broker: () => import('../fleet/broker.ts'),
};

export const run = async (call: Call): Promise<number> => {
  const [action = 'ls', ...args] = call.args;
  const load = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!load) throw unknownAction(call, action);
  const maxArgs = maxArgsOf[action] ?? 1;
  if (args.length > maxArgs)
    throw new DroverError(
      'usage',
      `drover fleet ${action}: unexpected argument ${JSON.stringify(args[maxArgs])}.`,
      'See `drover fleet --help`.',
    );
  refuseOptions(call, action);
  const { run: act } = await load();
  return act({ ...call, args });
};

const maxArgsOf: Record<string, number> = {
  init: 0,
  token: 0,
  ls: 0,
  leave: 0,
  place: 0,
  accept: 2,
  broker: 2,
};

/** An option that would be ignored is an error: `join --rights none` would let the other machine in. */
const refuseOptions = ({ options, verb }: Call, action: string): void => {
  const allowed = [...everywhere, ...(optionsOf[action] ?? [])];
  const given = Object.keys(verb.options).filter(name => options[name] !== undefined);
  const other = given.find(name => !allowed.includes(name));
  if (other === undefined) return;
  const belongs = Object.keys(optionsOf).filter(name => optionsOf[name]?.includes(other));
  throw new DroverError(
    'usage',
    `drover fleet ${action}: --${other} is an option of ${belongs.join(', ')}.`,
    'See `drover fleet --help`.',
  );
};

const everywhere = ['json', 'yes'];

const ssh = ['ssh-option', 'ssh-config'];

const optionsOf: Record<string, readonly string[]> = {
  init: ['name', 'on', 'listen', 'port', 'url', 'creds', 'ca', 'replicas', ...ssh],
  add: ['name', 'port', 'role', 'rights', ...ssh],
  token: ['name', 'role', 'rights'],
  join: ['name', 'accept'],
  place: ['port'],
};
