/**
 * Returns a port of 127.0.0.1 on which connections are refused. The port is the local end of an open connection, so the
 * operating system gives it to no other process. A port that was only free when it was picked may be taken by the time
 * it is used.
 */
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { serveSockets } from './servers.js';

export interface ClosedPort {
  readonly port: number;
  /** `127.0.0.1:<port>` */
  readonly address: string;
  close(): Promise<void>;
}

export async function closedPort(): Promise<ClosedPort> {
  const server = await serveSockets(() => undefined);
  const holder = connect({ host: '127.0.0.1', port: server.port });
  holder.on('error', () => undefined);
  await once(holder, 'connect');
  const { port } = holder.address() as AddressInfo;
  return {
    port,
    address: `127.0.0.1:${port}`,
    async close() {
      holder.destroy();
      await server.close();
    },
  };
}
