import { expect, test } from 'vitest';
import { usersOf } from './broker-users.ts';
import { makeLogin } from './nkey.ts';

test('each login is named once, for the member that had it first', () => {
  const [admin, ci, invite] = [makeLogin(), makeLogin(), makeLogin()];
  const [fleet, own, first, second] = ['f', 'a', 'b', 'c'].map(letter => letter.repeat(16)) as [
    string,
    string,
    string,
    string,
  ];
  const member = (host: string, login: string, role: 'admin' | 'worker' = 'worker') => ({
    host,
    login,
    role,
    isRevoked: false,
  });
  const membership = {
    fleet,
    host: { id: own, name: 'laptop', key: { public: '', secret: '' } },
    broker: {
      listen: '127.0.0.1',
      port: 4222,
      on: null,
      inviteLogin: invite.public,
      inviteSeed: invite.seed,
    },
  };
  const users = usersOf(membership, [
    member(own, admin.public, 'admin'),
    member(first, ci.public),
    member(second, admin.public),
    member(second, invite.public),
  ]);
  expect(users.map(({ login }) => login)).toEqual([invite.public, admin.public, ci.public]);
  expect(users[1]?.permissions.publish).toEqual(['>']);
});
