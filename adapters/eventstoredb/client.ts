/**
 * The client of one connection, made safe for a process that must not die. Each change below removes one cause of a
 * rejection that nobody can catch, in @eventstore/db-client 6.2.1, the last of its line.
 */
import { EventStoreDBClient, NO_STREAM } from '@eventstore/db-client';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { Append, AppendAnswer, Appended } from './append-messages.js';
import { createAppends, type Appends, type SharedCall } from './appends.js';
import type { BatchCall } from './batch-stream.js';
import type { Limits } from './limits.js';
import { toEventData } from './records.js';

export interface Client {
  readonly calls: EventStoreDBClient;
  readonly appends: Appends;
  /** Breaks off reads and subscriptions, lets appends in progress end, and closes the connection. */
  close(): Promise<void>;
}

interface Channel {
  close(): void;
  getConnectivityState(tryToConnect: boolean): number;
}
/** Metadata and options: the user, the name of the connection, whether a leader is needed. */
type CallArguments = [metadata: object, options: object];
interface GrpcClient {
  getChannel(): Channel;
  makeBidiStreamRequest(
    path: string,
    serialize: (request: Buffer) => Buffer,
    deserialize: (bytes: Buffer) => AppendAnswer,
    ...rest: CallArguments
  ): BatchCall;
}
type Execute = <T>(service: unknown, name: string, action: (grpc: GrpcClient) => T) => Promise<T>;
/** Internal parts of the client, which its types hide. */
interface Internals {
  supports: (...method: unknown[]) => Promise<boolean>;
  handleError: (grpc: GrpcClient, error: Error) => Promise<void>;
  execute: Execute;
  createChannel: () => Promise<Channel>;
  callArguments: (options: { requiresLeader: boolean }, callOptions: { deadline: number }) => CallArguments;
}
const PARTS = ['supports', 'handleError', 'execute', 'createChannel', 'callArguments'] as const;

const SHUTDOWN = 4;

export function openClient(connectionString: string, { inFlight }: Pick<Limits, 'inFlight'>): Client {
  const calls = EventStoreDBClient.connectionString(connectionString);
  const internals = calls as unknown as Internals;
  for (const part of PARTS) {
    if (typeof internals[part] !== 'function')
      throw new Error(`@eventstore/db-client has no ${part} any more`);
  }
  const { execute, handleError, createChannel } = internals;
  let channel: Channel | undefined;
  let closed = false;

  // False makes the client use one call per append. Its other way is one long call for all appends. That keeps appends
  // in progress in a map shared by all clients of the process. When one connection ends, the appends of the others are
  // rejected, and a later answer throws in an event handler. It also asks the server for its features first, without a
  // time-out. The long call that appends share here is our own (appends.ts).
  internals.supports = () => Promise.resolve(false);
  // The client does not await it. It rejects when the discovery of a new node fails.
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

  const appends = createAppends({ open: shareCalls(internals), single: appendAlone(calls), inFlight });

  return {
    calls,
    appends,
    async close() {
      await calls.dispose();
      await appends.close();
      closed = true;
      channel?.close();
    },
  };
}

const { StreamsClient, StreamsService } = streamsGrpc;
const { path, responseDeserialize } = StreamsService.batchAppend;
const asItIs = (request: Buffer): Buffer => request;

/**
 * Opens calls for appends to share on the client's channel, which handles the route to the leader, TLS and the user.
 */
function shareCalls(internals: Internals): () => Promise<SharedCall> {
  let recovered = Promise.resolve();
  return async () => {
    // Otherwise the call would start on the channel that is about to be replaced.
    await recovered;
    return internals.execute(StreamsClient, 'batchAppend', (grpc) => {
      // The call lasts as long as the connection; each append has its own time limit.
      const rest = internals.callArguments({ requiresLeader: true }, { deadline: Infinity });
      return {
        call: grpc.makeBidiStreamRequest(path, asItIs, responseDeserialize, ...rest),
        isCurrent: () => grpc.getChannel().getConnectivityState(false) !== SHUTDOWN,
        failed(error) {
          recovered = internals.handleError(grpc, error);
        },
      };
    });
  };
}

function appendAlone(calls: EventStoreDBClient) {
  return async ({ stream, expected, records }: Append, timeoutMs: number): Promise<Appended> => {
    const answer = await calls.appendToStream(stream, records.map(toEventData), {
      expectedRevision: expected === 'no_stream' ? NO_STREAM : BigInt(expected),
      deadline: timeoutMs,
      requiresLeader: true,
    });
    return { revision: Number(answer.nextExpectedRevision), position: answer.position };
  };
}
