/**
 * BatchAppend messages, built with the code generated for the client: encoding of requests, interpretation of answers.
 */
import {
  AccessDeniedError,
  MaxAppendSizeExceededError,
  StreamDeletedError,
  TimeoutError,
  UnavailableError,
  UnknownError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type status from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision, NewRecord } from '../../ports/event-store.js';
import type { LogPosition } from './positions.js';

export interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly records: readonly NewRecord[];
}

export interface Appended {
  /** Revision of the last event written. */
  readonly revision: number;
  /** Undefined when the server does not send it. */
  readonly position: LogPosition | undefined;
}

export type AppendAnswer = streams.BatchAppendResp;

/**
 * The request carries no deadline. A deadline would be a time by this machine's clock, and a server whose clock is
 * ahead of it would refuse everything. Without one the server applies its own limit for a write.
 * @throws TypeError for data that JSON can't hold
 */
export function encodeAppend(correlationId: string, { stream, expected, records }: Append): Buffer {
  const options = new streams.BatchAppendReq.Options();
  options.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(utf8.encode(stream)));
  if (expected === 'no_stream') options.setNoStream(new shared.Empty());
  else options.setStreamPosition(String(expected));
  const request = new streams.BatchAppendReq()
    .setCorrelationId(uuid(correlationId))
    .setOptions(options)
    .setProposedMessagesList(records.map(proposedMessage))
    .setIsFinal(true);
  const bytes = request.serializeBinary();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const utf8 = new TextEncoder();
const uuid = (text: string): shared.UUID => new shared.UUID().setString(text);
const json = (value: object): Uint8Array => utf8.encode(JSON.stringify(value));

function proposedMessage({ eventId, type, data, meta }: NewRecord): streams.BatchAppendReq.ProposedMessage {
  const message = new streams.BatchAppendReq.ProposedMessage()
    .setId(uuid(eventId))
    .setData(json(data))
    .setCustomMetadata(json(meta));
  message.getMetadataMap().set('type', type);
  message.getMetadataMap().set('content-type', 'application/json');
  return message;
}

/** Servers answer in either form of a UUID. Empty when the answer has no correlation id. */
export function correlationIdOf(answer: AppendAnswer): string {
  const id = answer.getCorrelationId();
  const bits = id?.getStructured();
  if (!bits) return id?.getString() ?? '';
  const hex = hexOf(bits.getMostSignificantBits()) + hexOf(bits.getLeastSignificantBits());
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const hexOf = (half: string): string => BigInt.asUintN(64, BigInt(half)).toString(16).padStart(16, '0');

/** Never throws: it is called where no caller could catch it. */
export function outcomeOf(answer: AppendAnswer, stream: string): Appended | Error {
  try {
    const success = answer.getSuccess();
    if (!success) return failureOf(answer.getError(), stream);
    const position = success.getPosition();
    return {
      revision: Number(success.getCurrentRevision()),
      position: position && {
        commit: BigInt(position.getCommitPosition()),
        prepare: BigInt(position.getPreparePosition()),
      },
    };
  } catch (error) {
    return new UnknownError(undefined, `an answer that can't be read: ${String(error)}`);
  }
}

/** Returns the client's own errors, so that a failure means the same for both ways of appending. */
function failureOf(failure: status.Status | undefined, stream: string): Error {
  const details = failure?.getDetails();
  const message = failure?.getMessage() || 'the server gave no reason';
  switch (details?.getTypeName()) {
    case 'event_store.client.WrongExpectedVersion': {
      const conflict = shared.WrongExpectedVersion.deserializeBinary(details.getValue_asU8());
      return WrongExpectedVersionError.fromWrongExpectedVersion(conflict, stream);
    }
    case 'event_store.client.StreamDeleted':
      return StreamDeletedError.fromStreamName(stream);
    case 'event_store.client.AccessDenied':
      return new AccessDeniedError(undefined, message);
    case 'event_store.client.MaximumAppendSizeExceeded': {
      const exceeded = shared.MaximumAppendSizeExceeded.deserializeBinary(details.getValue_asU8());
      return MaxAppendSizeExceededError.fromMaxAppendSize(exceeded.getMaxappendsize());
    }
    case 'event_store.client.Timeout':
      return new TimeoutError(undefined, message);
    // The server did not start the append: it is not ready, too busy, or knows no leader.
    case 'google.protobuf.Empty':
      return new UnavailableError(undefined, message);
    default: {
      const unknown = new UnknownError(undefined, message);
      if (failure) unknown.code = Number(failure.getCode());
      return unknown;
    }
  }
}
