import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

/**
 * A relay in front of the gRPC server, through which all clients connect. Connections are cut and frozen here, so a
 * client sees the same as from a real server: a frozen connection is accepted and answers nothing, not even pings.
 */
export interface Connections {
  readonly port: number;
  count(): number;
  cutAll(): void;
  /** Cuts one connection, identified by the client address that the gRPC server sees. */
  cut(peer: string): void;
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

export const openConnections = async (port: number, upstream: () => number): Promise<Connections> => {
  const pairs = new Set<Pair>();
  let frozen = false;

  const flow = (pair: Pair): void => {
    const { client, server } = pair;
    if (frozen) {
      client.unpipe(server).pause();
      server.unpipe(client).pause();
    } else {
      client.pipe(server);
      server.pipe(client);
    }
  };

  const listener: Server = createServer((client) => {
    const server = connect(upstream(), '127.0.0.1');
    const pair = { client, server };
    pairs.add(pair);
    client.setNoDelay(true);
    server.setNoDelay(true);
    for (const socket of [client, server]) {
      // Tests break connections on purpose. The other side of the relay is destroyed with the broken one.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        pairs.delete(pair);
        client.destroy();
        server.destroy();
      });
    }
    flow(pair);
  });
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, '127.0.0.1', resolve);
  });

  const destroy = ({ client, server }: Pair): void => {
    client.resetAndDestroy();
    server.destroy();
  };

  const setFrozen = (value: boolean): void => {
    // Only on a change: piping a pair twice would deliver all data twice.
    if (frozen === value) return;
    frozen = value;
    for (const pair of pairs) flow(pair);
  };

  const cutAll = (): void => {
    for (const pair of [...pairs]) destroy(pair);
  };

  return {
    port: (listener.address() as AddressInfo).port,
    count: () => pairs.size,
    cutAll,
    cut(peer) {
      const port = Number(peer.slice(peer.lastIndexOf(':') + 1));
      for (const pair of [...pairs]) if (pair.server.localPort === port) destroy(pair);
    },
    freeze: () => setFrozen(true),
    thaw: () => setFrozen(false),
    async close() {
      const closed = new Promise((resolve) => listener.close(resolve));
      cutAll();
      await closed;
    },
  };
};
