import { expect, test } from 'vitest';
import type { Peer } from '../../fleet/peers.ts';
import { fromHost } from './from-host.ts';

const peer: Peer = { host: 'a'.repeat(16), name: 'devbox', isHere: false, isAway: false, seenAt: 0, skew: 0 };

test('of the screen of another host only text and colours arrive', () => {
  const text = '\x1b[31mred\x1b[0m\x1b]52;c;cm0gLXJm\x07 \x1b]0;title\x1b\\\x1b[2J\x1b[6n\x9b5nend\r\n';
  const { screen } = fromHost.readScreen({ screen: { text, width: 80, height: 24 } }, peer);
  expect(screen).toEqual({ text: '\x1b[31mred\x1b[0m 5nend\n', width: 80, height: 24 });
  expect(fromHost.readScreen({ screen: null }, peer)).toEqual({ screen: null });
});
