import { type AppendContext, MAX_APPEND_SIZE, proposedEvent, sizeOf } from './append-calls.js';
import { unavailable } from './errors.js';
import { answer, leaderFailure, takeLostAnswer, takeRefusal } from './fault-plan.js';
import type { Expected, Outcome } from './history.js';
import {
  type BatchAppendCall,
  anyMessage,
  googleEmpty,
  rpcCode,
  rpcStatus,
  shared,
  streamIdentifier,
  streamNameOf,
  streams,
  uuidOf,
} from './protocol.js';
import type { ProposedEvent } from './records.js';

interface PendingAppend {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: ProposedEvent[];
  size: number;
  timer?: NodeJS.Timeout;
}

/** The server's own time limit for an incomplete append. */
const WRITE_TIMEOUT_MS = 2_000;

/**
 * Batch append: one call stays open and carries many appends, distinguished by correlation id (EventStore,
 * src/EventStore.Core/Services/Transport/Grpc/Streams.BatchAppend.cs).
 */
export const handleBatchAppend = ({ history, faults, cut }: AppendContext, call: BatchAppendCall): void => {
  const pending = new Map<string, PendingAppend>();
  let unanswered = 0;
  let ended = false;
  let refused = false;

  const reply = (id: string, stream: string, result: streams.BatchAppendResp): void => {
    if (refused || call.cancelled || call.destroyed) return;
    call.write(
      result.setCorrelationId(new shared.UUID().setString(id)).setStreamIdentifier(streamIdentifier(stream)),
    );
  };
  const replyError = (id: string, stream: string, error: rpcStatus.Status): void =>
    reply(id, stream, new streams.BatchAppendResp().setError(error));
  const finish = (): void => {
    if (ended && unanswered === 0) call.end();
  };

  /**
   * An append that was refused part-way stays pending until it times out and is then answered a second time. The real
   * server does the same: the client does not expect that answer and throws.
   */
  const timeOutLater = (id: string, append: PendingAppend): void => {
    append.timer ??= setTimeout(() => {
      if (pending.delete(id)) {
        replyError(
          id,
          append.stream,
          status(rpcCode.Code.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout()),
        );
      }
    }, WRITE_TIMEOUT_MS).unref();
  };

  const complete = (id: string, { stream, expected, events }: PendingAppend): void => {
    const refusal = takeRefusal(faults, 'refuseAppends')
      ? unavailable()
      : leaderFailure(faults, call.metadata);
    if (refusal) {
      refused = true;
      call.emit('error', refusal);
      return;
    }
    if (takeRefusal(faults, 'notReady')) {
      return replyError(id, stream, status(rpcCode.Code.OK, 'Server Is Not Ready', new googleEmpty.Empty()));
    }
    const outcome = history.append(stream, expected, events);
    const lost = outcome.kind === 'ok' ? takeLostAnswer(faults) : undefined;
    if (lost === 'cut') cut(call.getPeer());
    if (lost !== undefined) return;
    unanswered += 1;
    answer(faults, () => {
      reply(id, stream, response(outcome, stream, expected));
      unanswered -= 1;
      finish();
    });
  };

  call.on('data', (request: streams.BatchAppendReq) => {
    if (refused) return;
    const options = request.getOptions();
    const id = uuidOf(request.getCorrelationId());
    if (options !== undefined && !pending.has(id)) {
      const stream = streamNameOf(options.getStreamIdentifier());
      if (faults.denied === 'appends') {
        const details = new shared.AccessDenied();
        return replyError(id, stream, status(rpcCode.Code.PERMISSION_DENIED, 'AccessDenied', details));
      }
      if ((options.getDeadline()?.toDate().getTime() ?? Infinity) <= Date.now()) {
        const details = new shared.Timeout();
        return replyError(id, stream, status(rpcCode.Code.DEADLINE_EXCEEDED, 'Timeout', details));
      }
      pending.set(id, {
        stream,
        expected: expectedOf(options),
        events: [],
        size: 0,
      });
    }
    const append = pending.get(id);
    if (append === undefined) return;
    try {
      for (const message of request.getProposedMessagesList()) {
        const event = proposedEvent(message);
        append.size += sizeOf(event);
        append.events.push(event);
      }
    } catch (error) {
      const text = String(error);
      const details = new shared.BadRequest().setMessage(text);
      replyError(id, append.stream, status(rpcCode.Code.INVALID_ARGUMENT, 'BadRequest', details));
      return timeOutLater(id, append);
    }
    if (append.size > MAX_APPEND_SIZE) {
      forget(id, append);
      const details = new shared.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_SIZE);
      replyError(
        id,
        append.stream,
        status(rpcCode.Code.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', details),
      );
    } else if (request.getIsFinal()) {
      forget(id, append);
      complete(id, append);
    } else {
      timeOutLater(id, append);
    }
  });
  call.on('end', () => {
    ended = true;
    finish();
  });

  const forget = (id: string, append: PendingAppend): void => {
    pending.delete(id);
    clearTimeout(append.timer);
  };
};

const expectedOf = (options: streams.BatchAppendReq.Options): Expected => {
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'stream_exists';
  return Number(options.getStreamPosition());
};

type Details =
  | googleEmpty.Empty
  | shared.AccessDenied
  | shared.WrongExpectedVersion
  | shared.StreamDeleted
  | shared.Timeout
  | shared.BadRequest
  | shared.MaximumAppendSizeExceeded;

/** The client finds the details by the message name, so the name is that of the details' type, if there is one. */
const status = (code: rpcCode.Code, message: string, details: Details): rpcStatus.Status => {
  const packed = new anyMessage.Any();
  const name =
    details instanceof googleEmpty.Empty ? 'google.protobuf.Empty' : `event_store.client.${message}`;
  packed.pack(details.serializeBinary(), name);
  return new rpcStatus.Status().setCode(code).setMessage(message).setDetails(packed);
};

const response = (outcome: Outcome, stream: string, expected: Expected): streams.BatchAppendResp => {
  const answer = new streams.BatchAppendResp();
  switch (outcome.kind) {
    case 'ok': {
      const success = new streams.BatchAppendResp.Success();
      if (outcome.revision < 0) success.setNoStream(new googleEmpty.Empty());
      else success.setCurrentRevision(String(outcome.revision));
      if (outcome.position === undefined) success.setNoPosition(new googleEmpty.Empty());
      else {
        const position = String(outcome.position);
        success.setPosition(
          new shared.AllStreamPosition().setCommitPosition(position).setPreparePosition(position),
        );
      }
      return answer.setSuccess(success);
    }
    case 'wrong-expected-version': {
      const conflict = new shared.WrongExpectedVersion();
      if (outcome.current < 0) conflict.setCurrentNoStream(new googleEmpty.Empty());
      else conflict.setCurrentStreamRevision(String(outcome.current));
      if (expected === 'any') conflict.setExpectedAny(new googleEmpty.Empty());
      else if (expected === 'no_stream') conflict.setExpectedNoStream(new googleEmpty.Empty());
      else if (expected === 'stream_exists') conflict.setExpectedStreamExists(new googleEmpty.Empty());
      else conflict.setExpectedStreamPosition(String(expected));
      return answer.setError(status(rpcCode.Code.ALREADY_EXISTS, 'WrongExpectedVersion', conflict));
    }
    case 'stream-deleted': {
      const details = new shared.StreamDeleted().setStreamIdentifier(streamIdentifier(stream));
      return answer.setError(status(rpcCode.Code.NOT_FOUND, 'StreamDeleted', details));
    }
  }
};
