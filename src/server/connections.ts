/**
 * Limits the connections over TCP. Anybody on this machine can open one. Until a request on it is authenticated it is anonymous:
 * few of those are kept, and the oldest is closed when one more comes. A request that is sent at once is served even then.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../limits.ts';

export interface Connections {
  /** Keeps the connection of an authenticated request. */
  trust: (socket: Socket) => void;
}

export const boundConnections = (server: Server): Connections => {
  const anonymous = new Set<Socket>();
  server.maxConnections = limits.http.connections;
  server.on('connection', (socket: Socket) => {
    const [oldest] = anonymous;
    if (oldest && anonymous.size >= limits.http.anonymousConnections) oldest.destroy();
    anonymous.add(socket);
    socket.once('close', () => anonymous.delete(socket));
  });
  return { trust: socket => void anonymous.delete(socket) };
};
