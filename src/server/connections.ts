/**
 * Bounds the connections over TCP. Anybody on this machine can open one, so a caller that has shown no token or page yet counts as
 * a stranger: there are few of them, and when one more comes the oldest is closed. Whoever asks at once is served even then.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../limits.ts';

export interface Connections {
  /** Called for a request that was authenticated: its connection stays. */
  trust: (socket: Socket) => void;
}

export const boundConnections = (server: Server): Connections => {
  const strangers = new Set<Socket>();
  server.maxConnections = limits.http.connections;
  server.on('connection', (socket: Socket) => {
    const [oldest] = strangers;
    if (oldest && strangers.size >= limits.http.anonymousConnections) oldest.destroy();
    strangers.add(socket);
    socket.once('close', () => strangers.delete(socket));
  });
  return { trust: socket => void strangers.delete(socket) };
};
