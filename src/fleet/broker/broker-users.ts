/** The logins of a broker of our own: one for each member, and one for those who ask to join. */
import { readFileSync } from 'node:fs';
import { writePrivate } from '../../private-file.ts';
import type { Membership } from '../membership.ts';
import type { Roster } from '../roster.ts';
import { subjectsOf } from '../subjects.ts';
import { brokerConfig, brokerFiles, type BrokerUser } from './broker-config.ts';
import { permissionsOf } from './permissions.ts';

/** Writes the broker's settings with the members of the roster. Returns whether they have changed. */
export const writeUsers = (
  folder: string,
  { fleet, host, broker }: Pick<Membership, 'fleet' | 'host' | 'broker'>,
  roster: Roster,
): boolean => {
  if (!broker) return false;
  const subjects = subjectsOf(fleet);
  const users: BrokerUser[] = roster.all().flatMap(member => {
    if (member.isRevoked || member.login === null || !isLogin.test(member.login)) return [];
    // The host of the broker makes the streams.
    const role = member.host === host.id ? 'admin' : member.role;
    return [{ login: member.login, permissions: permissionsOf(subjects, member.host, role) }];
  });
  users.push({ login: broker.inviteLogin, permissions: permissionsOf(subjects, host.id, 'invited') });
  const { listen, port } = broker;
  const text = brokerConfig(folder, { name: `drover-${host.id}`, listen, port, users });
  const file = brokerFiles(folder).config;
  if (text === read(file)) return false;
  writePrivate(file, text);
  return true;
};

/** A login comes from the host that joins, and ends in a file. */
const isLogin = /^U[A-Z2-7]{55}$/;

const read = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
};
