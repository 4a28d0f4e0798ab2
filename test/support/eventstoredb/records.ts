import { type EncodedRead, streamIdentifier, streamNameOf, streams, uuid, uuidOf } from './protocol.js';

/** An event of an append request. */
export interface ProposedEvent {
  readonly eventId: string;
  readonly type: string;
  readonly json: boolean;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** A record of the log, with the message that readers get for it. */
export interface StoredRecord {
  /** Start of the record in bytes of the log. Its commit position and prepare position are equal. */
  readonly position: number;
  readonly stream: string;
  /** `DELETED` for a tombstone. */
  readonly revision: number;
  readonly eventId: string;
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly encoded: EncodedRead;
}

/** The revision of a tombstone, 2^63 - 1 on the wire: higher than any revision of an event. */
export const DELETED = Number.POSITIVE_INFINITY;
export const DELETED_ON_THE_WIRE = '9223372036854775807';

export const STREAM_DELETED = '$streamDeleted';

const TICKS_PER_MILLISECOND = 10_000n;

export const encodeRecord = (
  event: ProposedEvent,
  at: {
    readonly stream: string;
    readonly revision: number;
    readonly position: number;
    readonly created: number;
  },
): StoredRecord => {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(uuid(event.eventId))
    .setStreamIdentifier(streamIdentifier(at.stream))
    .setStreamRevision(at.revision === DELETED ? DELETED_ON_THE_WIRE : String(at.revision))
    .setPreparePosition(String(at.position))
    .setCommitPosition(String(at.position))
    .setCustomMetadata(event.metadata)
    .setData(event.data);
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', event.json ? 'application/json' : 'application/octet-stream')
    .set('created', String(BigInt(at.created) * TICKS_PER_MILLISECOND));
  const read = new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(String(at.position));
  return {
    ...at,
    eventId: event.eventId,
    type: event.type,
    encoded: new streams.ReadResp().setEvent(read).serializeBinary(),
  };
};

const recordedEvent = (encoded: EncodedRead): streams.ReadResp.ReadEvent.RecordedEvent => {
  const recorded = streams.ReadResp.deserializeBinary(encoded).getEvent()?.getEvent();
  if (recorded === undefined) throw new Error('a log file holds something that is no record');
  return recorded;
};

/** Restores a record from its stored message. */
export const decodeRecord = (encoded: EncodedRead): StoredRecord => {
  const recorded = recordedEvent(encoded);
  const revision = recorded.getStreamRevision();
  const meta = recorded.getMetadataMap();
  return {
    position: Number(recorded.getCommitPosition()),
    stream: streamNameOf(recorded.getStreamIdentifier()),
    revision: revision === DELETED_ON_THE_WIRE ? DELETED : Number(revision),
    eventId: uuidOf(recorded.getId()),
    type: meta.get('type') ?? '',
    created: Number(BigInt(meta.get('created') ?? '0') / TICKS_PER_MILLISECOND),
    encoded,
  };
};

export const dataOf = (record: StoredRecord): Uint8Array => recordedEvent(record.encoded).getData_asU8();
