import { expect, test } from 'vitest';
import { isPrivateGroup } from './private-group.ts';

test('a group is private if the user is its only member', () => {
  const passwd =
    'ann:x:1000:1000::/home/ann:/bin/sh\nbob:x:1001:100::/home/bob:/bin/sh\neve:x:1002:1002::/:/bin/sh';
  const group = 'ann:x:1000:\nusers:x:100:\nteam:x:200:ann,bob\nown:x:300:ann\neve:x:1002:ann,eve';
  const isPrivate = (gid: number) => isPrivateGroup(gid, 'ann', group, passwd);
  expect([1000, 300, 100, 200, 1002, 999].map(isPrivate)).toEqual([true, true, false, false, false, false]);
});
