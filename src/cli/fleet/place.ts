/** `drover fleet place`: what `drover fleet add` on another machine needs to know about this one. */
import { runningDaemon } from '../../client/running.ts';
import { freePort } from '../../fleet/broker/broker-process.ts';
import { readHosted } from '../../fleet/broker/hosted-broker.ts';
import { findNatsServer } from '../../fleet/broker/nats-server.ts';
import { ownName } from '../../fleet/enrol/host-name.ts';
import { readMembership } from '../../fleet/membership.ts';
import type { Place } from '../../fleet/ssh/find-drover.ts';
import { programFile } from '../../program-file.ts';
import { droverHome } from '../../paths.ts';
import { nodePath } from '../../platform/node-path.ts';
import { readFingerprint } from '../../fleet/broker/read-fingerprint.ts';
import { version } from '../../version.ts';
import { type Call, text } from '../verb.ts';
import { portFrom } from './init.ts';

export const run = async (call: Call): Promise<number> => {
  const { paths, env } = call;
  const port = portFrom(text(call, 'port'));
  const daemon = await runningDaemon(paths).catch(() => null);
  const membership = readMembership(paths);
  const usual = droverHome({ ...env, DROVER_HOME: undefined });
  const place: Place = {
    version,
    node: nodePath(),
    main: programFile(),
    home: paths.home === usual ? null : paths.home,
    name: membership?.host.name ?? ownName(),
    sessions: daemon?.sessions.live ?? null,
    fleet: membership && {
      id: membership.fleet,
      host: membership.host.id,
      servers: membership.servers,
    },
    natsServer: await findNatsServer(env).catch(() => null),
    hosted: readHosted(paths),
    certificate: port === null ? null : await readFingerprint(port),
    freePort: await freePort('127.0.0.1'),
  };
  call.out(JSON.stringify(place));
  return 0;
};
