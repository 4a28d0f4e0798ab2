/**
 * The client of one connection, made safe for a process that must not die. Each change below takes away one way in
 * which @eventstore/db-client 6.2.1, the last of its line, leaves a rejection that nobody can catch.
 */
import { EventStoreDBClient } from '@eventstore/db-client';

export interface Client {
  readonly calls: EventStoreDBClient;
  /** Cancels what is under way and closes the connection. */
  close(): Promise<void>;
}

interface Channel {
  close(): void;
  getConnectivityState(tryToConnect: boolean): number;
}
interface GrpcClient {
  getChannel(): Channel;
}
type Execute = (service: unknown, name: string, action: (grpc: GrpcClient) => unknown) => Promise<unknown>;
/** The client's own parts, which its types hide. */
interface Internals {
  supports: (...method: unknown[]) => Promise<boolean>;
  handleError: (grpc: GrpcClient, error: Error) => Promise<void>;
  execute: Execute;
  createChannel: () => Promise<Channel>;
}
const PARTS = ['supports', 'handleError', 'execute', 'createChannel'] as const;

const SHUTDOWN = 4;

export function openClient(connectionString: string): Client {
  const calls = EventStoreDBClient.connectionString(connectionString);
  const internals = calls as unknown as Internals;
  for (const part of PARTS) {
    if (typeof internals[part] !== 'function')
      throw new Error(`@eventstore/db-client has no ${part} any more`);
  }
  const { execute, handleError, createChannel } = internals;
  let channel: Channel | undefined;
  let closed = false;

  // One call per append. The client's other way, one long call for all appends, keeps those in flight in a map shared
  // by all clients of the process: one connection's end rejects the appends of the others, and an answer that comes
  // after that is thrown in an event handler. It also asks the server for its features first, without any time-out.
  internals.supports = () => Promise.resolve(false);
  // Called without awaiting it; rejects when discovery of a new node fails meanwhile.
  internals.handleError = (grpc, error) => handleError(grpc, error).catch(() => undefined);
  // Another call's failure may have closed the channel a moment ago. An append that then throws would never settle.
  internals.execute = (service, name, action) =>
    execute(service, name, (grpc) => {
      if (grpc.getChannel().getConnectivityState(false) === SHUTDOWN) {
        throw new Error('the connection has just been closed');
      }
      return action(grpc);
    });
  // dispose() leaves the channel open.
  internals.createChannel = async () => {
    channel = await createChannel();
    if (closed) channel.close();
    return channel;
  };

  return {
    calls,
    async close() {
      closed = true;
      await calls.dispose();
      channel?.close();
    },
  };
}
