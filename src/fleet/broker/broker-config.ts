/** The configuration file of our own broker. */
import { join } from 'node:path';
import { limits } from '../../limits.ts';
import { answerLimits, type Permissions } from './permissions.ts';

export interface BrokerUser {
  login: string;
  permissions: Permissions;
}

export interface BrokerSettings {
  name: string;
  listen: string;
  port: number;
  users: BrokerUser[];
}

export const brokerFiles = (folder: string) => ({
  config: join(folder, 'nats-server.conf'),
  key: join(folder, 'key.pem'),
  certificate: join(folder, 'certificate.pem'),
  data: join(folder, 'data'),
  pid: join(folder, 'nats-server.pid'),
  log: join(folder, 'nats-server.log'),
  /** Exists while the broker was stopped by hand, so that the daemon does not start it. */
  stopped: join(folder, 'stopped'),
});

export const brokerConfig = (folder: string, { name, listen, port, users }: BrokerSettings): string => {
  const files = brokerFiles(folder);
  const { payload, memoryBytes, diskBytes, logBytes } = limits.fleet.broker;
  const host = listen.includes(':') ? `[${listen}]` : listen;
  return `# Written by drover: changes are lost.
server_name: ${quoted(name)}
listen: ${quoted(`${host}:${port}`)}
pid_file: ${quoted(files.pid)}
log_file: ${quoted(files.log)}
logfile_size_limit: ${logBytes}
max_payload: ${payload}
tls {
  cert_file: ${quoted(files.certificate)}
  key_file: ${quoted(files.key)}
  timeout: 5
}
jetstream {
  store_dir: ${quoted(files.data)}
  max_memory_store: ${memoryBytes}
  max_file_store: ${diskBytes}
}
authorization {
  timeout: 5
  users: [
${users.map(userText).join('\n')}
  ]
}
`;
};

const userText = ({ login, permissions: { publish, subscribe, mayAnswer } }: BrokerUser): string => {
  const { parts, minutes } = answerLimits;
  const answers = mayAnswer ? `, allow_responses: { max: ${parts}, expires: "${minutes}m" }` : '';
  return `    { nkey: ${login}, permissions: { publish: { allow: ${listed(publish)} }, subscribe: { allow: ${listed(subscribe)} }${answers} } }`;
};

const listed = (subjects: string[]): string => `[${[...new Set(subjects)].map(quoted).join(', ')}]`;

const quoted = (text: string): string => JSON.stringify(text);
