import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';

/**
 * The door that clients come in by: a relay in front of the gRPC server. Cutting or freezing connections happens here,
 * where it looks to a client as it would from outside: a frozen one is accepted and answers nothing, not even pings.
 */
export interface Connections {
  readonly port: number;
  count(): number;
  cutAll(): void;
  /** Cuts one connection, named by the address that the gRPC server sees it come from. */
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
      // A connection that breaks is what tests ask for; the other side of the relay goes with it.
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
    // Only on a change: a pair that is joined twice gets everything twice.
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
