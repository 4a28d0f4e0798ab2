/** Test servers on 127.0.0.1, each on a free port. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface Serving {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  readonly port: number;
  /** Number of connections accepted so far. */
  connections(): number;
  /** Closes the open connections and continues to accept new ones. */
  cut(): void;
  /** Closes the open connections and stops listening. Further calls do nothing. */
  close(): Promise<void>;
}

export const serve = (listener: RequestListener): Promise<Serving> =>
  listen(createServer({ keepAliveTimeout: 60_000 }, listener));

/** A raw TCP server, for responses that no HTTP server would send. */
export const serveSockets = (onConnection: (socket: Socket) => void): Promise<Serving> =>
  listen(createTcpServer(onConnection));

async function listen(server: Server): Promise<Serving> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on('connection', (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    connections: () => accepted,
    cut,
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      cut();
      await closed;
    },
  };
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A server that calls `handle` with the whole request body. A request that breaks off is dropped. */
export const serveBodies = (
  handle: (request: IncomingMessage, response: ServerResponse, raw: Buffer) => void,
): Promise<Serving> =>
  serve((request, response) => {
    bodyOf(request).then(
      (raw) => handle(request, response, raw),
      () => response.destroy(),
    );
  });
