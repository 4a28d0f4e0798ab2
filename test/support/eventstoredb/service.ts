import { type AppendContext, handleAppend } from './append-calls.js';
import { handleBatchAppend } from './batch-append.js';
import {
  type CallFailure,
  streamDeleted,
  unavailable,
  unimplemented,
  wrongExpectedVersion,
} from './errors.js';
import { accessFailure, answer, type FaultPlan, leaderFailure, takeRefusal } from './fault-plan.js';
import type { Expected, Outcome } from './history.js';
import type { Log } from './log.js';
import type { shared } from './protocol.js';
import {
  type AppendCall,
  type BatchAppendCall,
  type ReadCall,
  features,
  featuresService,
  gossip,
  gossipService,
  grpc,
  streamNameOf,
  streams,
  streamsService,
  uuid,
} from './protocol.js';
import { handleRead } from './read-calls.js';
import type { Subscriptions } from './subscriptions.js';

export interface ServiceContext extends AppendContext {
  readonly log: Log;
  readonly subscriptions: Subscriptions;
  /** The port that clients learn from gossip. */
  readonly port: number;
  readonly onBatchCall: () => void;
}

const SERVER_VERSION = '23.10.6';

/**
 * The features that a 23.10 server announces, as far as this one implements them. Because of the first, the client uses
 * batch appends.
 */
const SUPPORTED = ['append', 'read', 'delete', 'tombstone'];

/** The largest message that the server accepts; its own limit for an append is far lower. */
const MAX_MESSAGE = 17 * 1024 * 1024;

/** Starts a gRPC server on a free port. */
export const startService = async (
  context: ServiceContext,
): Promise<{ readonly port: number; readonly stop: () => void }> => {
  const server = new grpc.Server({
    'grpc.max_receive_message_length': MAX_MESSAGE,
    'grpc.max_send_message_length': MAX_MESSAGE,
  });
  server.addService(streamsService, {
    read: (call: ReadCall) => {
      const ofAll = call.request.getOptions()?.hasAll() === true;
      const denied = accessFailure(context.faults, ofAll ? '$all' : 'stream');
      if (denied) call.emit('error', denied);
      else handleRead(context, call, context.subscriptions.open);
    },
    append: (call: AppendCall, respond: grpc.sendUnaryData<streams.AppendResp>) => {
      const denied = accessFailure(context.faults, 'appends') ?? leaderFailure(context.faults, call.metadata);
      if (denied) respond(denied, null);
      else handleAppend(context, call, respond);
    },
    batchAppend: (call: BatchAppendCall) => {
      context.onBatchCall();
      const failure = context.faults.withoutBatchAppend
        ? unimplemented()
        : accessFailure(context.faults, 'stream');
      if (failure) call.emit('error', failure);
      else handleBatchAppend(context, call);
    },
    delete: handleDelete(context),
    tombstone: handleTombstone(context),
  });
  server.addService(featuresService, { getSupportedMethods: getSupportedMethods(context.faults) });
  server.addService(gossipService, { read: readGossip(context) });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { port, stop: () => server.forceShutdown() };
};

const getSupportedMethods =
  (faults: FaultPlan) =>
  (
    _call: grpc.ServerUnaryCall<shared.Empty, features.SupportedMethods>,
    respond: grpc.sendUnaryData<features.SupportedMethods>,
  ): void =>
    respond(
      null,
      new features.SupportedMethods()
        .setEventStoreServerVersion(SERVER_VERSION)
        .setMethodsList(
          [...(faults.withoutBatchAppend ? [] : ['batchappend']), ...SUPPORTED].map((method) =>
            new features.SupportedMethod()
              .setServiceName('event_store.client.streams.streams')
              .setMethodName(method),
          ),
        ),
    );

const NODE_IDS = ['6f2a6a3c-0d0f-4c52-9f0e-1f6b3d1f7a10', '6f2a6a3c-0d0f-4c52-9f0e-1f6b3d1f7a11'] as const;

/** Describes the cluster to a discovering client: this node, plus the leader when this node is a follower. */
const readGossip =
  ({ port, faults }: ServiceContext) =>
  (
    _call: grpc.ServerUnaryCall<shared.Empty, gossip.ClusterInfo>,
    respond: grpc.sendUnaryData<gossip.ClusterInfo>,
  ): void => {
    const { LEADER, FOLLOWER } = gossip.MemberInfo.VNodeState;
    const member = (id: string, state: gossip.MemberInfo.VNodeState, at: number): gossip.MemberInfo =>
      new gossip.MemberInfo()
        .setInstanceId(uuid(id))
        .setTimeStamp(String(Date.now()))
        .setState(state)
        .setIsAlive(true)
        .setHttpEndPoint(new gossip.EndPoint().setAddress('127.0.0.1').setPort(at));
    const members =
      faults.leaderPort === null
        ? [member(NODE_IDS[0], LEADER, port)]
        : [member(NODE_IDS[0], FOLLOWER, port), member(NODE_IDS[1], LEADER, faults.leaderPort)];
    respond(null, new gossip.ClusterInfo().setMembersList(members));
  };

interface DeletionOptions {
  getStreamIdentifier(): shared.StreamIdentifier | undefined;
  hasNoStream(): boolean;
  hasAny(): boolean;
  hasStreamExists(): boolean;
  getRevision(): string;
}

const expectedOf = (options: DeletionOptions): Expected => {
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'stream_exists';
  return Number(options.getRevision());
};

/** The server's number for an expectation that is not a revision. */
const numberOf = (expected: Expected): number =>
  typeof expected === 'number' ? expected : { no_stream: -1, any: -2, stream_exists: -4 }[expected];

const deletion = (
  { faults }: ServiceContext,
  options: DeletionOptions | undefined,
  remove: (stream: string, expected: Expected) => Outcome,
  respond: (failure: CallFailure | null, position?: string) => void,
): void => {
  if (options === undefined || takeRefusal(faults, 'refuseAppends')) return respond(unavailable());
  const stream = streamNameOf(options.getStreamIdentifier());
  const expected = expectedOf(options);
  const outcome = remove(stream, expected);
  answer(faults, () => {
    if (outcome.kind === 'ok') respond(null, String(outcome.position));
    else if (outcome.kind === 'stream-deleted') respond(streamDeleted(stream));
    else respond(wrongExpectedVersion('Delete', stream, numberOf(expected), outcome.current));
  });
};

const handleDelete =
  (context: ServiceContext) =>
  (
    call: grpc.ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>,
    respond: grpc.sendUnaryData<streams.DeleteResp>,
  ): void =>
    deletion(
      context,
      call.request.getOptions(),
      (stream, expected) => context.history.softDelete(stream, expected),
      (failure, position = '') => {
        if (failure !== null) return respond(failure);
        const at = new streams.DeleteResp.Position().setCommitPosition(position).setPreparePosition(position);
        respond(null, new streams.DeleteResp().setPosition(at));
      },
    );

const handleTombstone =
  (context: ServiceContext) =>
  (
    call: grpc.ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>,
    respond: grpc.sendUnaryData<streams.TombstoneResp>,
  ): void =>
    deletion(
      context,
      call.request.getOptions(),
      (stream, expected) => context.history.tombstone(stream, expected),
      (failure, position = '') => {
        if (failure !== null) return respond(failure);
        const at = new streams.TombstoneResp.Position()
          .setCommitPosition(position)
          .setPreparePosition(position);
        respond(null, new streams.TombstoneResp().setPosition(at));
      },
    );
