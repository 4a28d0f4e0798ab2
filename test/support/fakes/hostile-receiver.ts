/** Receivers on 127.0.0.1 that misbehave at the socket level, each closed by the test that opened it. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import type { AddressInfo, Server } from 'node:net';

export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** Connections accepted so far. */
  connections(): number;
  close(): Promise<void>;
}

async function listen(server: Server, sockets: ReadonlySet<Socket>, count: () => number): Promise<Receiver> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    connections: count,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function track(server: Server): { sockets: Set<Socket>; count: () => number } {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  return { sockets, count: () => accepted };
}

export function httpReceiver(listener: RequestListener): Promise<Receiver> {
  const server = createServer({ keepAliveTimeout: 30_000 }, listener);
  const { sockets, count } = track(server);
  return listen(server, sockets, count);
}

/** `onRequest` runs when the first bytes of a request have come; what it writes is sent as it is. */
export function rawReceiver(onRequest: (socket: Socket) => void): Promise<Receiver> {
  const server = createTcpServer((socket) => {
    socket.once('data', () => onRequest(socket));
    socket.resume();
  });
  const { sockets, count } = track(server);
  return listen(server, sockets, count);
}
