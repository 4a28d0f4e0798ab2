/**
 * One operation through at most one call to the provider.
 *
 * WhatsApp has no idempotency key on a send, so the attempt is recorded before the call and the outcome after it. An
 * attempt without an outcome (a crash, a cut connection) is never repeated: status webhooks settle it, or nothing does.
 */
import { createCache } from '../../ports/cache.js';
import type { App } from '../../application/app.js';
import type { CommandContext, Executed } from '../../application/execute.js';
import { CHANNEL_TOKEN_CONTEXT } from '../../application/provisioning/common.js';
import { releaseSlots } from '../../application/send/release.js';
import { deriveId } from '../../domain/kernel/ids.js';
import { messageAggregate, outboundMessageId } from '../../domain/message/decide.js';
import { operationAggregate, type AttemptOutcome } from '../../domain/operation/decide.js';
import type { OperationEvent } from '../../domain/operation/events.js';
import { isSettled, type Operation } from '../../domain/operation/state.js';
import { operationStream } from '../../domain/operation/stream.js';
import { identityStream } from '../../domain/identity/stream.js';
import { messageStream } from '../../domain/message/stream.js';
import type { SendOutcome } from '../../ports/provider.js';
import { pause } from '../../ports/waiting.js';
import type { SendPayload } from '../../application/send/queue.js';
import { readingOnce } from '../kernel/read-once.js';
import { closeMessage } from './close-message.js';
import { outboundContent } from './outbound-content.js';
import { prepare, type PrepareInput } from './prepare.js';
import { mayPass, recordOutcome, RECORDING_MS, type Step } from './record.js';

export interface AttemptInput extends PrepareInput {
  readonly payload: SendPayload;
  /** Of the claim: of two processes that take the same row for theirs, one after a long pause, only one may call. */
  readonly fence: number;
  readonly channelIntervalMs: number;
  readonly begun: BegunAttempts;
  /** When the row was due: one that is put back keeps its place in the order. */
  readonly dueAt: number;
  /** False once the process is to end: WhatsApp is not called any more. */
  readonly mayCall: () => boolean;
  /** True once the process is to end: what it can't finish goes back to the others. */
  readonly ending: () => boolean;
}

/**
 * Attempts that this process began without learning whether that was stored. It knows better than the stream that the
 * provider has not been called: by operation, the id of the event that would say so.
 */
export type BegunAttempts = Pick<Map<string, string>, 'get' | 'delete'> & {
  set(operationUuid: string, eventId: string): unknown;
};

/** One that nobody came back to here, since the channel went to another process, must not be kept for ever. */
const MAX_BEGUN = 10_000;

/** Whoever is forgotten counts as one whose outcome is not known. */
export const createBegunAttempts = (): BegunAttempts => createCache<string, string>(MAX_BEGUN);

/**
 * Streams that one look reads once. What is decided of these always writes, unless they moved on, which the append finds
 * out. Whatever the gates ask (contacts, ledgers) is read when they ask.
 */
const READ_ONCE = [operationStream, messageStream, identityStream].map(({ prefix }) => prefix);

/** Between two looks at an attempt that this process began without hearing so. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Resolves once what became of it is on record. An attempt of which only this process knows whether the provider was
 * called is not let go of while a store is away.
 * @throws StoreUnavailable before there can be an attempt on record, or when the process is to end
 */
export async function attemptSend(app: App, input: AttemptInput): Promise<Step> {
  for (let first = true; ; first = false) {
    try {
      const step = await look(app, input, first);
      if (step !== null) return step;
    } catch (error) {
      if (!mayPass(error) || input.ending() || input.begun.get(input.operationUuid) === undefined)
        throw error;
      await pause(app.clock, LOOK_AGAIN_MS);
    }
  }
}

/**
 * One look at the operation, and what is to be done by it. Null: it has moved on, look again.
 * @param first of this claim: whatever is found under way then was left by a claim whose time is over
 */
async function look(asked: App, input: AttemptInput, first: boolean): Promise<Step | null> {
  const app = readingOnce(asked, READ_ONCE);
  const { operationUuid, payload } = input;
  const from = app.clock.monotonic();
  const { state } = await app.executor.load(operationAggregate, operationUuid);
  const { accepted } = state;
  if (accepted === null) return { kind: 'done', judged: null };
  const context: CommandContext = {
    company: payload.company,
    actor: 'worker:sending',
    commandId: `${payload.event_id}/attempt/${state.attempt + 1}/${input.fence}`,
    correlationId: payload.correlation_id,
    causationId: payload.event_id,
    subject: accepted.subject,
  };
  if (isSettled(state)) {
    await closeMessage(app, operationUuid, context);
    await releaseSlots(app, operationUuid, state, context);
    return { kind: 'done', judged: null };
  }
  // It gets another row when an operator releases it.
  if (state.phase === 'held') return { kind: 'done', judged: null };
  const stream = operationStream.toName(operationUuid);
  const open = state.phase === 'processing' || state.phase === 'unknown';
  const resumed = open ? await takeBegun(app, stream, input) : null;
  if (state.phase === 'processing' && resumed === null) {
    // Somebody who took the row after this claim: their attempt is theirs to tell of.
    if (!first) return { kind: 'again', at: app.clock.now() + LOOK_AGAIN_MS, judged: null };
    return lostOutcome(app, operationUuid, state.attempt, context);
  }
  /** Whoever looks next in this process may call: the provider has not been. */
  const remember = (): unknown =>
    input.begun.set(operationUuid, resumed ?? deriveId(stream, context.commandId, 0));
  const putBack = (error: unknown): never => {
    remember();
    throw error;
  };
  if (state.phase === 'unknown') {
    return resumed === null
      ? { kind: 'reconcile', until: Date.parse(state.reconcileUntil!) }
      : notCalled(app, operationUuid, state.attempt, context).catch(putBack);
  }

  const putOff = async (): Promise<Step> => {
    const step = await notCalled(app, operationUuid, attempt, context).catch(putBack);
    return step.kind === 'again' ? { ...step, at: input.dueAt } : step;
  };
  let { attempt } = state;
  if (!input.mayCall()) return resumed === null ? notBegun(input) : putOff();

  const preparing = prepare(app, input, state, accepted, context);
  const prepared = await (resumed === null ? preparing : preparing.catch(putBack));
  if (prepared.kind !== 'ready') return prepared;
  if (resumed === null && !input.mayCall()) return notBegun(input);
  const { channel, contact, to, conversationUuid } = prepared;
  const messageUuid = outboundMessageId(operationUuid);
  const begin = (): Promise<Executed<Operation, OperationEvent>> =>
    app.executor.execute(
      operationAggregate,
      operationUuid,
      {
        type: 'BeginAttempt',
        contactUuid: contact.uuid,
        conversationUuid,
        messageUuid,
        channelIntervalMs: input.channelIntervalMs,
      },
      context,
    );
  const queue = (): Promise<unknown> =>
    app.executor.execute(
      messageAggregate,
      messageUuid,
      {
        type: 'QueueMessage',
        data: {
          company_uuid: accepted.company_uuid,
          channel_uuid: accepted.channel_uuid,
          conversation_uuid: conversationUuid,
          contact_uuid: contact.uuid,
          type: accepted.message_type,
          content: accepted.content,
          operation_uuid: operationUuid,
          text: accepted.text,
        },
      },
      { ...context, assumeNew: state.attempt === 0 },
    );
  const beginning = resumed === null ? begin() : Promise.resolve(null);
  try {
    const [begun] = await Promise.all([beginning, queue()]);
    // Somebody else has begun it, or the window has ended: the stream knows, look again.
    if (begun !== null && begun.events[0]?.type !== 'SendAttempted') return null;
    if (begun !== null) attempt = begun.state.attempt;
  } catch (error) {
    // It must not be stored behind the back of the next claim.
    await beginning.catch(() => undefined);
    putBack(error);
  }
  if (app.clock.monotonic() - from >= RECORDING_MS) {
    // The claim is over: others may have found the attempt and given it up. A repeated append does not tell.
    remember();
    return null;
  }
  input.begun.delete(operationUuid);
  if (!input.mayCall()) return putOff();

  const span = app.tracing?.begin({
    name: 'whatsapp send',
    kind: 'client',
    correlationId: context.correlationId,
    attributes: {
      'recado.operation_uuid': operationUuid,
      'recado.channel_uuid': channel.uuid,
      'recado.attempt': attempt,
    },
  });
  const outcome = await app.provider.send(
    {
      phoneNumberId: channel.phone_number_id,
      wabaId: channel.waba_id,
      accessToken: app.secrets.open(channel.access_token_sealed, CHANNEL_TOKEN_CONTEXT),
    },
    {
      to,
      content: outboundContent(accepted),
      opaque: operationUuid,
    },
  );
  span?.end({ 'recado.outcome': outcome.kind, ...codeOf(outcome) }, failureOf(outcome));
  const { ending } = input;
  const call = { operationUuid, messageUuid, attempt, channel, contact, outcome, context, ending };
  return recordOutcome(app, call);
}

const notBegun = ({ dueAt }: AttemptInput): Step => ({ kind: 'again', at: dueAt, judged: null });

const codeOf = (outcome: SendOutcome): Readonly<Record<string, number>> =>
  outcome.kind === 'rejected' ? { 'recado.provider_code': outcome.error.code } : {};

/** The provider's own sentences may name a recipient: only its code is told. */
function failureOf(outcome: SendOutcome): string | undefined {
  if (outcome.kind === 'accepted') return undefined;
  return outcome.kind === 'rejected' ? `provider code ${outcome.error.code}` : outcome.kind;
}

/**
 * The id of the event that began the attempt, when this process knows that the provider was not called. Handed out once:
 * another claim of the same row, a long pause later, must not find it too.
 */
async function takeBegun(app: App, stream: string, input: AttemptInput): Promise<string | null> {
  const { begun, operationUuid } = input;
  const eventId = begun.get(operationUuid);
  if (eventId === undefined) return null;
  const records = await app.store.read(stream);
  const last = records.findLast(({ type }) => type === 'SendAttempted');
  if (last?.eventId !== eventId || begun.get(operationUuid) !== eventId) return null;
  begun.delete(operationUuid);
  return eventId;
}

/**
 * The attempt is on record and the provider was not called, which only this process knows: another one holds its outcome
 * for lost, or this one is to end. It may be tried again.
 */
async function notCalled(
  app: App,
  operationUuid: string,
  attempt: number,
  context: CommandContext,
): Promise<Step> {
  const at = app.clock.now();
  const outcome: AttemptOutcome = {
    kind: 'postponed',
    reason: 'not_called',
    providerCode: null,
    retryAt: new Date(at).toISOString(),
  };
  const after = { ...context, commandId: `${context.commandId}/not-called` };
  const command = { type: 'RecordOutcome', attempt, outcome } as const;
  const { state } = await app.executor.execute(operationAggregate, operationUuid, command, after);
  if (!isSettled(state)) return { kind: 'again', at, judged: null };
  await closeMessage(app, operationUuid, after);
  await releaseSlots(app, operationUuid, state, after);
  return { kind: 'done', judged: null };
}

/** The process died, or lost its lease, between the attempt and its outcome. */
async function lostOutcome(
  app: App,
  operationUuid: string,
  attempt: number,
  context: CommandContext,
): Promise<Step> {
  const until = app.clock.now() + app.settings.reconcileWindowMs;
  const outcome: AttemptOutcome = {
    kind: 'unknown',
    reason: 'the process ended before the answer was recorded',
    reconcileUntil: new Date(until).toISOString(),
  };
  const { state } = await app.executor.execute(
    operationAggregate,
    operationUuid,
    { type: 'RecordOutcome', attempt, outcome },
    { ...context, commandId: `${context.commandId}/lost` },
  );
  return state.phase === 'unknown'
    ? { kind: 'reconcile', until: Date.parse(state.reconcileUntil!) }
    : { kind: 'done', judged: null };
}
