/**
 * EventStoreDB's gRPC protocol, taken from the generated code of the client library, so that both sides speak the same
 * version by construction. The generated modules are CommonJS without named exports, hence the default imports.
 */
import * as grpc from '@grpc/grpc-js';
import gossipGrpc from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import featuresGrpc from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import rpcCode from '@eventstore/db-client/generated/code_pb.js';
import rpcStatus from '@eventstore/db-client/generated/status_pb.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import anyMessage from 'google-protobuf/google/protobuf/any_pb.js';
import googleEmpty from 'google-protobuf/google/protobuf/empty_pb.js';

export { anyMessage, features, gossip, googleEmpty, grpc, rpcCode, rpcStatus, shared, streams };

/** A message of the read call. It is encoded once, when the record is stored, and sent unchanged. */
export type EncodedRead = Uint8Array;

export type ReadCall = grpc.ServerWritableStream<streams.ReadReq, EncodedRead>;
export type AppendCall = grpc.ServerReadableStream<streams.AppendReq, streams.AppendResp>;
export type BatchAppendCall = grpc.ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;

export const streamsService = {
  ...streamsGrpc.StreamsService,
  read: {
    ...streamsGrpc.StreamsService.read,
    responseSerialize: (message: EncodedRead) =>
      Buffer.from(message.buffer, message.byteOffset, message.byteLength),
  },
};
export const featuresService = featuresGrpc.ServerFeaturesService;
export const gossipService = gossipGrpc.GossipService;

export const streamIdentifier = (name: string): shared.StreamIdentifier =>
  new shared.StreamIdentifier().setStreamName(Uint8Array.from(Buffer.from(name, 'utf8')));

export const streamNameOf = (identifier: shared.StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? new Uint8Array()).toString('utf8');

export const uuid = (value: string): shared.UUID => new shared.UUID().setString(value);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @throws Error when the value is not a UUID, as the server's own parser does */
export const uuidOf = (value: shared.UUID | undefined): string => {
  const structured = value?.getStructured();
  const text = structured === undefined ? (value?.getString() ?? '') : fromBits(structured);
  if (!UUID.test(text)) throw new Error(`Unrecognized Guid format: '${text}'`);
  return text.toLowerCase();
};

const fromBits = (bits: shared.UUID.Structured): string => {
  const half = (value: string) => BigInt.asUintN(64, BigInt(value)).toString(16).padStart(16, '0');
  const hex = half(bits.getMostSignificantBits()) + half(bits.getLeastSignificantBits());
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
