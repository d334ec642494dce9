/** Resumes a session on its own host of the fleet. */
import { call as ask } from '../../client/call.ts';
import { DroverError } from '../../contract/error.ts';
import { idParts } from '../../contract/origin.ts';
import { shortId } from '../../contract/short-id.ts';
import { limits } from '../../limits.ts';
import { type Call, flag } from '../verb.ts';
import { sessionNamed } from './session-arg.ts';

/** The other host that the first argument names after `@`; null if it names none. */
export const hostNamed = async ({ args, paths }: Call): Promise<string | null> => {
  const { origin } = idParts(args[0] ?? '');
  if (origin === null) return null;
  const fleet = await ask(paths, 'readFleet').catch(() => null);
  const host = fleet?.hosts.find(
    ({ id, name, state }) => (name === origin || id === origin) && state !== 'revoked',
  );
  return host && host.state !== 'here' ? host.name : null;
};

export const resumeOnHost = async (call: Call, host: string): Promise<number> => {
  if (flag(call, 'dry-run'))
    throw new DroverError(
      'usage',
      `--dry-run does not work for a session on ${host}.`,
      `Run the command on ${host}.`,
    );
  const given = await sessionNamed(call, call.args[0] ?? '');
  const { id, copy } = await ask(call.paths, 'resumeSession', {
    id: given,
    body: { fork: flag(call, 'fork') },
    timeout: limits.start.ready + limits.daemon.answerTimeout,
  });
  const resumed = copy ?? id;
  if (flag(call, 'json')) call.out(JSON.stringify({ id: resumed }));
  else call.out(`Resumed ${shortId(resumed)} on ${host}. Go there with \`drover go ${resumed}\`.`);
  return 0;
};
