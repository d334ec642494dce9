/** Groups of the system that have one member. */
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

/**
 * Whether a group has the user as its only member, as distributions make one for each user: with it, umask is 002, and every
 * new file can be written by the group. A group that these files do not list may have other members.
 */
export const isPrivateGroup = (
  gid: number,
  user: string = ownName(),
  groups: string = textOf('/etc/group'),
  users: string = textOf('/etc/passwd'),
): boolean => {
  const fieldsOf = (text: string) => text.split('\n').map(line => line.split(':'));
  const group = fieldsOf(groups).find(([, , id]) => id === String(gid));
  if (!group) return false;
  const members = (group[3] ?? '').split(',').filter(Boolean);
  const others = fieldsOf(users).filter(([name, , , id]) => id === String(gid) && name !== user);
  return members.every(name => name === user) && others.length === 0;
};

/** A user without an entry has no name. */
const ownName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
