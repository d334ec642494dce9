/** `drover fleet token`: makes a token that lets one machine join. */
import { call as ask } from '../../client/call.ts';
import { ensureDaemon } from '../../client/start.ts';
import { DroverError } from '../../contract/error.ts';
import { limits } from '../../limits.ts';
import { type Call, flag, text } from '../verb.ts';
import { mayText, rightsFrom } from './accepted-rights.ts';

export const run = async (call: Call): Promise<number> => {
  const role = roleFrom(call);
  const rights = rightsFrom(call) ?? ['read', 'queue'];
  await ensureDaemon(call.paths, call.env);
  const name = text(call, 'name') ?? null;
  const body = { role, rights, name, tunnelPort: null };
  const invitation = await ask(call.paths, 'inviteHost', { body });
  if (flag(call, 'json')) {
    call.out(JSON.stringify(invitation));
    return 0;
  }
  call.err(
    `One machine can join with this token within ${Math.round(limits.fleet.invitation / 60_000)} minutes, as a ${role}. This machine ${mayText(rights)} there.`,
  );
  if (invitation.servers.every(isLocal))
    call.err(
      'The broker listens on loopback only. For another machine use `drover fleet add user@host`, which keeps a tunnel.',
    );
  call.err('Run `drover fleet join -` there and paste it. It is a secret and is shown only once:');
  call.out(invitation.token);
  return 0;
};

export const roleFrom = (call: Call): 'worker' | 'seat' => {
  const role = text(call, 'role') ?? 'worker';
  if (role === 'worker' || role === 'seat') return role;
  throw new DroverError(
    'usage',
    `--role must be worker or seat, not ${JSON.stringify(role)}.`,
    'A worker is seen and driven; a seat also sees and drives the others.',
  );
};

export const isLocal = (server: string): boolean => /\/\/(?:127\.|localhost|\[::1\])/.test(server);
