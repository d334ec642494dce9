/** Finds drover on another machine, as a login shell there would. */
import * as z from 'zod';
import { DroverError } from '../../contract/error.ts';
import { HostId } from '../../contract/fleet.ts';
import { limits } from '../../limits.ts';
import type { Env } from '../../paths.ts';
import { lastLine, runSsh } from './run-ssh.ts';
import { asInLoginShell, sshArgs, type SshTarget } from './ssh-command.ts';

/** What `drover fleet place` reports about its machine. */
export const Place = z.looseObject({
  version: z.string(),
  node: z.string().startsWith('/'),
  main: z.string().startsWith('/'),
  /** DROVER_HOME; null if it is the default. */
  home: z.string().startsWith('/').nullable(),
  name: z.string(),
  /** Its live sessions; null while no daemon runs there. */
  sessions: z.number().int().nullable(),
  /** The fleet that it is in. */
  fleet: z.object({ id: HostId, host: HostId, servers: z.array(z.string()) }).nullable(),
  /** nats-server there. An older drover does not say. */
  natsServer: z.object({ path: z.string(), version: z.string() }).nullable().optional(),
  /** The broker that it runs for a fleet. */
  hosted: z
    .object({
      fleet: HostId,
      admin: z.object({ name: z.string() }),
      port: z.number().int(),
      isConfirmed: z.boolean(),
    })
    .nullable()
    .optional(),
  /** The fingerprint of the broker's certificate on the port of its loopback that was asked for. */
  certificate: z.string().nullable().optional(),
  /** A port that is free there. */
  freePort: z.number().int(),
});
export type Place = z.infer<typeof Place>;

/** Login shells may print anything: only what is between these markers counts. */
const begin = 'drover-begins-here';
const end = 'drover-ends-here';

/** Asks the machine; throws if it cannot be reached or has no drover. `port`: where a broker may listen there. */
export const findDrover = async (target: SshTarget, env: Env, port: number | null = null): Promise<Place> => {
  const asked = `drover fleet place --json${port === null ? '' : ` --port ${port}`}`;
  const command = asInLoginShell(`echo ${begin}; ${asked}; echo ${end}`);
  const { destination } = target;
  const { code, out, err } = await runSsh(sshArgs(target, command), { env, ms: limits.fleet.sshProbe });
  if (!out.includes(begin))
    throw new DroverError(
      'failed',
      `ssh could not run a command on ${destination}: ${lastLine(err) || `it exited with ${code}`}`,
      `Try \`ssh ${destination} true\`.`,
    );
  const output = out.slice(out.lastIndexOf(begin) + begin.length).split(end)[0] ?? '';
  const place = placeIn(output);
  if (place) return place;
  throw output.includes('{')
    ? new DroverError('failed', `drover on ${destination} is too old for a fleet.`, 'Update it there.')
    : new DroverError(
        'failed',
        `A login shell on ${destination} does not find drover: ${lastLine(err) || 'it printed nothing'}`,
        'Install it there with `npm install -g drover`, then try again.',
      );
};

const placeIn = (text: string): Place | null => {
  for (const line of text.split('\n')) {
    if (!line.startsWith('{')) continue;
    try {
      const parsed = Place.safeParse(JSON.parse(line));
      if (parsed.success) return parsed.data;
    } catch {
      /* not this line */
    }
  }
  return null;
};
