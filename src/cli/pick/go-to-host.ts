/** Goes to a session of another host over SSH, for `go` and `next`. */
import { spawnSync } from 'node:child_process';
import { DroverError } from '../../contract/error.ts';
import { idParts } from '../../contract/origin.ts';
import type { FleetPlace, Session } from '../../contract/session.ts';
import { shortId } from '../../contract/short-id.ts';
import { quote } from '../../quote.ts';
import type { TmuxClient } from '../../tmux/keys/jump.ts';
import { openWindow } from '../../tmux/keys/open-window.ts';
import { type Call, flag } from '../verb.ts';

/** Opens a tmux window with `ssh`, hands it this terminal, or prints the command. */
export const goToHost = async (
  call: Call,
  tmuxClient: TmuxClient | null,
  session: Session & { fleet: FleetPlace },
  canAttach: boolean,
): Promise<number> => {
  const { fleet } = session;
  const id = idParts(session.id).own;
  const command = ['ssh', ...(await argumentsFor(call, fleet, id))];
  const report = (moved: boolean, printed: string | null) => {
    if (flag(call, 'json')) call.out(JSON.stringify({ session, moved, command: printed }));
    else if (printed !== null) call.out(printed);
  };
  if (tmuxClient) {
    await openWindow(tmuxClient.socket, tmuxClient.session, `${shortId(id)}@${fleet.name}`, command);
    report(true, null);
    return 0;
  }
  if (canAttach) {
    // It blocks this process, so that it does not read keys that are meant for the session.
    const { status, error } = spawnSync('ssh', command.slice(1), { stdio: 'inherit', env: call.env });
    if (error) throw new DroverError('failed', `ssh: ${error.message}`);
    return status ?? 1;
  }
  call.err(`${shortId(id)} runs on ${fleet.name}. Go there with:`);
  report(false, command.map(arg => (/^[\w./@%+=:,-]+$/.test(arg) ? arg : quote(arg))).join(' '));
  return 0;
};

/** By the enrolment that is kept here. Only a machine that has joined a fleet loads it. */
const argumentsFor = async (call: Call, { host, name }: FleetPlace, id: string): Promise<string[]> => {
  const [{ readMembership }, { sshArguments }] = await Promise.all([
    import('../../fleet/membership.ts'),
    import('../../fleet/ssh/go-arguments.ts'),
  ]);
  const place = readMembership(call.paths)?.ssh[host];
  if (place) return sshArguments(place, id);
  throw new DroverError(
    'refused',
    `This machine has no SSH address for ${name}.`,
    `Log in there and run \`drover go ${shortId(id)}\`. \`drover fleet add\` stores the address of a host.`,
  );
};
