/** `drover fleet revoke`: removes a host from the fleet. */
import { call as ask } from '../../client/call.ts';
import { changeMembership } from '../../fleet/membership.ts';
import { type Call, flag } from '../verb.ts';
import { hostNamed, readStatus, reload } from './reload.ts';

export const run = async (call: Call): Promise<number> => {
  const status = await readStatus(call);
  const { id } = hostNamed(status, call.args[0]);
  const revoked = await ask(call.paths, 'revokeHost', { id });
  changeMembership(call.paths, ({ accept, ssh, ...rest }) => ({
    ...rest,
    accept: without(accept, id),
    ssh: without(ssh, id),
  }));
  await reload(call);
  if (flag(call, 'json')) call.out(JSON.stringify(revoked));
  else {
    call.out(
      revoked.isPublished
        ? `Revoked ${revoked.name}. Its sessions are no longer shown, and no host accepts anything from it.`
        : `Revoked ${revoked.name}. This machine no longer shows it or accepts anything from it.`,
    );
    if (!revoked.isPublished)
      call.out('The broker cannot be reached. The other hosts learn of it as soon as it can.');
    call.out('Run `drover fleet leave` on that machine to delete its keys.');
  }
  return 0;
};

const without = <T>(record: Record<string, T>, key: string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
