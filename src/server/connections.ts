/**
 * Limits the connections over TCP. Anybody on this machine can open one. Until a request on it is authenticated it is anonymous:
 * few of those are kept, and the oldest is closed when one more comes. One that has just come is kept longer, so that many programs
 * can connect at once. A request that is sent at once is served even then.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, elapsed } from '../clock.ts';
import { limits } from '../limits.ts';

export interface Connections {
  /** Keeps the connection of an authenticated request. */
  trust: (socket: Socket) => void;
}

export const boundConnections = (server: Server, clock: Clock): Connections => {
  const anonymous = new Map<Socket, number>();
  server.maxConnections = limits.http.connections;
  const isOver = (): boolean => {
    const [since = Number.POSITIVE_INFINITY] = anonymous.values();
    if (anonymous.size >= limits.http.anonymousBurst) return true;
    const isOld = elapsed(clock) - since >= limits.http.anonymousGrace;
    return isOld && anonymous.size >= limits.http.anonymousConnections;
  };
  server.on('connection', (socket: Socket) => {
    while (isOver()) {
      const [oldest] = anonymous.keys();
      if (!oldest) break;
      anonymous.delete(oldest);
      oldest.destroy();
    }
    anonymous.set(socket, elapsed(clock));
    socket.once('close', () => anonymous.delete(socket));
  });
  return { trust: socket => void anonymous.delete(socket) };
};
