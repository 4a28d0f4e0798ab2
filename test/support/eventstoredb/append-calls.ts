import { type CallFailure, badRequest, maxAppendSizeExceeded, streamDeleted, unavailable } from './errors.js';
import { type FaultPlan, answer, takeLostAnswer, takeRefusal } from './fault-plan.js';
import type { Expected, History, Outcome } from './history.js';
import type { grpc } from './protocol.js';
import { type AppendCall, shared, streamNameOf, streams, uuidOf } from './protocol.js';
import type { ProposedEvent } from './records.js';

/** The limit that the server itself reports when an append exceeds it. */
export const MAX_APPEND_SIZE = 1_048_576;

export interface AppendContext {
  readonly history: History;
  readonly faults: FaultPlan;
  /** Cuts the connection on which a call arrived. */
  readonly cut: (peer: string) => void;
}

interface ProposedMessage {
  getId(): shared.UUID | undefined;
  getMetadataMap(): { get(key: string): string | undefined };
  getData_asU8(): Uint8Array;
  getCustomMetadata_asU8(): Uint8Array;
}

/** @throws Error when the id is not a UUID */
export const proposedEvent = (message: ProposedMessage): ProposedEvent => ({
  eventId: uuidOf(message.getId()),
  type: message.getMetadataMap().get('type') ?? '',
  json: message.getMetadataMap().get('content-type') === 'application/json',
  data: message.getData_asU8(),
  metadata: message.getCustomMetadata_asU8(),
});

/** Bytes that an event counts towards `MAX_APPEND_SIZE`: its type name is stored as UTF-16. */
export const sizeOf = ({ type, data, metadata }: ProposedEvent): number =>
  data.byteLength + metadata.byteLength + 2 * type.length;

/** The unary append: options first, then one message per event. */
export const handleAppend = (
  { history, faults, cut }: AppendContext,
  call: AppendCall,
  respond: grpc.sendUnaryData<streams.AppendResp>,
): void => {
  let options: streams.AppendReq.Options | undefined;
  const events: ProposedEvent[] = [];
  let size = 0;
  let failed = false;
  const fail = (failure: CallFailure): void => {
    if (failed) return;
    failed = true;
    respond(failure);
  };

  call.on('data', (request: streams.AppendReq) => {
    options ??= request.getOptions();
    const message = request.getProposedMessage();
    if (failed || message === undefined) return;
    try {
      const event = proposedEvent(message);
      size += sizeOf(event);
      events.push(event);
    } catch (error) {
      fail(badRequest(String(error)));
    }
    if (size > MAX_APPEND_SIZE) fail(maxAppendSizeExceeded(MAX_APPEND_SIZE));
  });
  call.on('end', () => {
    if (failed || options === undefined) return;
    if (takeRefusal(faults, 'refuseAppends')) return fail(unavailable());
    const stream = streamNameOf(options.getStreamIdentifier());
    const expected = expectedOf(options);
    const outcome = history.append(stream, expected, events);
    const lost = outcome.kind === 'ok' ? takeLostAnswer(faults) : undefined;
    if (lost === 'cut') cut(call.getPeer());
    if (lost !== undefined) return;
    answer(faults, () => {
      if (outcome.kind === 'stream-deleted') fail(streamDeleted(stream));
      else respond(null, response(outcome, expected));
    });
  });
};

const expectedOf = (options: streams.AppendReq.Options): Expected => {
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'stream_exists';
  return Number(options.getRevision());
};

const response = (
  outcome: Exclude<Outcome, { readonly kind: 'stream-deleted' }>,
  expected: Expected,
): streams.AppendResp => {
  if (outcome.kind === 'wrong-expected-version') {
    const conflict = new streams.AppendResp.WrongExpectedVersion();
    if (outcome.current < 0) conflict.setCurrentNoStream(new shared.Empty());
    else conflict.setCurrentRevision(String(outcome.current));
    if (expected === 'any') conflict.setExpectedAny(new shared.Empty());
    else if (expected === 'no_stream') conflict.setExpectedNoStream(new shared.Empty());
    else if (expected === 'stream_exists') conflict.setExpectedStreamExists(new shared.Empty());
    else conflict.setExpectedRevision(String(expected));
    return new streams.AppendResp().setWrongExpectedVersion(conflict);
  }
  const success = new streams.AppendResp.Success();
  if (outcome.revision < 0) success.setNoStream(new shared.Empty());
  else success.setCurrentRevision(String(outcome.revision));
  if (outcome.position === undefined) success.setNoPosition(new shared.Empty());
  else {
    const position = String(outcome.position);
    success.setPosition(
      new streams.AppendResp.Position().setCommitPosition(position).setPreparePosition(position),
    );
  }
  return new streams.AppendResp().setSuccess(success);
};
