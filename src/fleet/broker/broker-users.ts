/** The logins of our own broker: one for each member, and one for requests to join. */
import { readFileSync } from 'node:fs';
import type { RosterEntry } from '../../contract/fleet.ts';
import { writePrivate } from '../../files/private-file.ts';
import type { Membership } from '../membership.ts';
import type { Roster } from '../roster.ts';
import { subjectsOf } from '../subjects.ts';
import { brokerConfig, brokerFiles, type BrokerSettings, type BrokerUser } from './broker-config.ts';
import { permissionsOf } from './permissions.ts';

/** The logins that our own broker accepts. */
export const usersOf = (
  { fleet, host, broker }: Pick<Membership, 'fleet' | 'host' | 'broker'>,
  members: Pick<RosterEntry, 'host' | 'role' | 'login' | 'isRevoked'>[],
): BrokerUser[] => {
  const subjects = subjectsOf(fleet);
  const invited = broker
    ? [{ login: broker.inviteLogin, permissions: permissionsOf(subjects, host.id, 'invited') }]
    : [];
  const users = members.flatMap(member => {
    if (member.isRevoked || member.login === null || !isLogin.test(member.login)) return [];
    // The admin makes the streams.
    const role = member.host === host.id ? 'admin' : member.role;
    return [{ login: member.login, permissions: permissionsOf(subjects, member.host, role) }];
  });
  // nats-server refuses settings that name a login twice.
  return [...invited, ...users].filter(
    ({ login }, at, all) => all.findIndex(user => user.login === login) === at,
  );
};

/** Writes the broker's settings with the members of the roster. Returns whether they have changed. */
export const writeUsers = (
  folder: string,
  membership: Pick<Membership, 'fleet' | 'host' | 'broker'>,
  roster: Roster,
): boolean => {
  const { broker, host } = membership;
  if (!broker) return false;
  const { listen, port } = broker;
  const users = usersOf(membership, roster.all());
  return writeSettings(folder, { name: `drover-${host.id}`, listen, port, users });
};

/** Writes the broker's settings. Returns whether they have changed. */
export const writeSettings = (folder: string, settings: BrokerSettings): boolean => {
  const text = brokerConfig(folder, settings);
  const file = brokerFiles(folder).config;
  if (text === read(file)) return false;
  writePrivate(file, text);
  return true;
};

/** The joining host chooses its login, which becomes part of a configuration file. */
export const isLogin = /^U[A-Z2-7]{55}$/;

const read = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};
