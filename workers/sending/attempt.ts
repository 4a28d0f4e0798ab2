/**
 * Takes one operation through at most one call to the provider.
 *
 * WhatsApp has no idempotency key on a send, so the attempt is recorded before the call and the outcome after it. An
 * attempt without an outcome (a crash, a cut connection) is never repeated: a status webhook reports the outcome, or it
 * stays unknown.
 */
import { reaction, type App } from '../../application/app.js';
import type { CommandContext, Executed } from '../../application/execute.js';
import { CHANNEL_TOKEN_CONTEXT } from '../../application/provisioning/common.js';
import { releaseSlots } from '../../application/send/release.js';
import { deriveId } from '../../domain/kernel/ids.js';
import { messageAggregate, outboundMessageId } from '../../domain/message/decide.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import type { OperationEvent } from '../../domain/operation/events.js';
import { isSettled, type Operation, type SendAsAccepted } from '../../domain/operation/state.js';
import { identityStream, messageStream, operationStream } from '../../domain/streams.js';
import type { SendOutcome } from '../../ports/provider.js';
import { pause } from '../../ports/waiting.js';
import type { SendPayload } from '../../application/send/queue.js';
import { readingOnce } from '../kernel/read-once.js';
import { takeBegun, type BegunAttempts } from './begun.js';
import { closeMessage } from './close-message.js';
import { lostOutcome, notCalled } from './interrupted.js';
import { outboundContent } from './outbound-content.js';
import { conversationFor, prepare, type Prepared, type PrepareInput } from './prepare.js';
import { isTransient, recordOutcome, RECORDING_MS, type SendDisposition } from './record.js';

/** An attempt of a send takes this of the app. */
export type AttemptDeps = Pick<
  App,
  | 'barrier'
  | 'clock'
  | 'codec'
  | 'dueTimes'
  | 'executor'
  | 'indexSecret'
  | 'lastOrdinals'
  | 'personOwners'
  | 'provider'
  | 'readModels'
  | 'replay'
  | 'secrets'
  | 'settings'
  | 'store'
  | 'tracing'
>;

export interface AttemptInput extends PrepareInput {
  readonly payload: SendPayload;
  /**
   * Fence of the claim. Two processes may both believe that they hold the row, one of them after a long pause: only one
   * may call.
   */
  readonly fence: number;
  /**
   * Claims of an operation may not exclude each other: it is the first claim of this row, and another process may have
   * had the send from the topic. An attempt found under way may still be in progress there.
   */
  readonly mayBeElsewhere: boolean;
  readonly channelIntervalMs: number;
  readonly begun: BegunAttempts;
  /** When the row was due: a row that is put back keeps its place in the order. */
  readonly dueAt: number;
  /** False once the process is shutting down: WhatsApp is not called any more. */
  readonly mayCall: () => boolean;
  /** True once the process is shutting down: work that it cannot finish goes back to the others. */
  readonly ending: () => boolean;
}

/**
 * Streams that one pass reads once. Commands decided on them always write, unless the stream has changed; the append
 * then detects that. Streams that the gates need (contacts, quotas) are read each time.
 */
const READ_ONCE = [operationStream, messageStream, identityStream].map(({ prefix }) => prefix);

/** Time for which a claim holds the row of a send: the longest call, and the time to record its outcome. */
export const claimMs = ({ providerTimeoutMs }: Pick<App['settings'], 'providerTimeoutMs'>): number =>
  providerTimeoutMs + RECORDING_MS;

const DONE: SendDisposition = { kind: 'done', judged: null };

const WAITING: ReadonlySet<Operation['phase']> = new Set(['queued', 'waiting']);

/**
 * Pause before the next pass, when a store failed after this process began an attempt, or a later claimant's attempt is
 * under way.
 */
const NEXT_PASS_MS = 1_000;

/**
 * Resolves once the outcome is on record. If only this process knows whether the provider was called, it keeps the
 * attempt while a store is unavailable.
 * @throws StoreUnavailable before an attempt can be on record, or when the process is shutting down
 */
export async function attemptSend(app: AttemptDeps, input: AttemptInput): Promise<SendDisposition> {
  for (let first = true; ; first = false) {
    try {
      const step = await attemptOnce(app, input, first);
      if (step !== null) return step;
    } catch (error) {
      if (!isTransient(error) || input.ending() || input.begun.get(input.operationUuid) === undefined)
        throw error;
      await pause(app.clock, NEXT_PASS_MS);
    }
  }
}

/** One pass over an operation that waits for an attempt, or whose attempt has no outcome yet. */
interface AttemptPass {
  readonly app: AttemptDeps;
  readonly input: AttemptInput;
  readonly state: Operation;
  readonly accepted: SendAsAccepted;
  readonly context: CommandContext;
  /** When the pass began, by the monotonic clock. */
  readonly from: number;
  /**
   * Id of the event that began the attempt under way, if this process began it and the provider was not called; else
   * null.
   */
  readonly resumed: string | null;
}

/**
 * One pass over the operation: decides the next step and takes it. Null: the operation has changed, try again.
 * @param first the first pass of this claim: an attempt found under way then was left by a claim that has expired, or
 * may be in progress in another process
 */
async function attemptOnce(
  asked: AttemptDeps,
  input: AttemptInput,
  first: boolean,
): Promise<SendDisposition | null> {
  const app = readingOnce(asked, READ_ONCE);
  const { operationUuid } = input;
  const from = app.clock.monotonic();
  const state = await operationOf(app, operationUuid, first);
  const { accepted, phase } = state;
  if (accepted === null) return DONE;
  const context = contextOf(app, input, state, accepted);
  if (isSettled(state)) {
    await closeMessage(app, operationUuid, context);
    await releaseSlots(app, operationUuid, state, context);
    return DONE;
  }
  // It gets another row when an operator releases it.
  if (phase === 'held') return DONE;
  const underWay = phase === 'processing' || phase === 'unknown';
  const resumed = underWay ? await takeBegun(app, input.begun, operationUuid, streamOf(input)) : null;
  const one: AttemptPass = { app, input, state, accepted, context, from, resumed };
  const found = underWay ? await foundUnderWay(one, first) : null;
  if (found !== null) return found;

  if (!input.mayCall()) return resumed === null ? notBegun(input) : putOff(one, state.attempt);
  const preparing = prepare(app, input, state, accepted, context);
  const prepared = await (resumed === null ? preparing : orRemember(one, preparing));
  if (prepared.kind !== 'ready') return prepared;
  if (resumed === null && !input.mayCall()) return notBegun(input);
  const attempt = await begin(one, prepared);
  if (attempt === null) return null;
  return input.mayCall() ? call(one, prepared, attempt) : putOff(one, attempt);
}

/**
 * Uses a cached state where the operation waits for its first attempt. If another process has begun that attempt, the
 * append that begins it fails; the next pass then reads the stream.
 */
async function operationOf(app: Pick<App, 'executor'>, uuid: string, first: boolean): Promise<Operation> {
  const known = first ? (await app.executor.recall(operationAggregate, uuid)).state : null;
  if (known?.attempt === 0 && WAITING.has(known.phase)) return known;
  return (await app.executor.load(operationAggregate, uuid)).state;
}

const contextOf = (
  { clock }: Pick<App, 'clock'>,
  { payload, fence, dueAt }: AttemptInput,
  { attempt }: Operation,
  { subject }: SendAsAccepted,
): CommandContext => ({
  ...reaction(payload, 'sending', `attempt/${attempt + 1}/${fence}`, subject),
  // The text was accepted before that. The recipient may be erased while this pass has it in memory.
  dataFrom: Math.min(dueAt, clock.now()),
});

/** The next step for an attempt without an outcome; null where this process may continue the attempt. */
async function foundUnderWay(one: AttemptPass, first: boolean): Promise<SendDisposition | null> {
  const { app, input, state, context, resumed } = one;
  const { operationUuid } = input;
  if (state.phase === 'unknown') {
    if (resumed === null) return { kind: 'reconcile', until: Date.parse(state.reconcileUntil!) };
    return orRemember(one, notCalled(app, operationUuid, state.attempt, context));
  }
  if (resumed !== null) return null;
  // A later claimant owns this attempt and will record it.
  if (!first) return { kind: 'again', at: app.clock.now() + NEXT_PASS_MS, judged: null };
  if (input.mayBeElsewhere)
    return { kind: 'again', at: app.clock.now() + claimMs(app.settings), judged: null };
  return lostOutcome(app, operationUuid, state.attempt, context);
}

/**
 * Records the attempt, and puts its message into the conversation, in one append where the store can. Returns the attempt's number. Null: another process
 * was faster, the window has ended, or the claim expired meanwhile.
 */
async function begin(one: AttemptPass, prepared: Prepared): Promise<number | null> {
  const { app, input, state, from } = one;
  const { operationUuid } = input;
  let { attempt } = state;
  try {
    const begun = await app.executor.together((executor) => beginIn({ ...app, executor }, one, prepared));
    // Another process has begun it, or the window has ended: the next pass reads the stream.
    if (begun !== null && begun.events[0]?.type !== 'SendAttempted') return null;
    if (begun !== null) attempt = begun.state.attempt;
  } catch (error) {
    remember(one);
    throw error;
  }
  if (app.clock.monotonic() - from >= RECORDING_MS) {
    // The claim has expired: others may have found the attempt and given it up. A repeated append does not reveal that.
    remember(one);
    return null;
  }
  input.begun.delete(operationUuid);
  return attempt;
}

/** Null: it was begun before. */
async function beginIn(
  app: AttemptDeps,
  { input, state, accepted, context, resumed }: AttemptPass,
  prepared: Prepared,
): Promise<Executed<Operation, OperationEvent> | null> {
  const { operationUuid, channelIntervalMs } = input;
  const conversationUuid = await conversationFor(app, prepared, accepted, context);
  const messageUuid = outboundMessageId(operationUuid);
  const contactUuid = prepared.contact.uuid;
  const place = { contactUuid, conversationUuid, messageUuid };
  const beginning =
    resumed === null
      ? app.executor.execute(
          operationAggregate,
          operationUuid,
          { type: 'BeginAttempt', ...place, channelIntervalMs },
          context,
        )
      : Promise.resolve(null);
  const queueing = app.executor.execute(
    messageAggregate,
    messageUuid,
    {
      type: 'QueueMessage',
      data: {
        company_uuid: accepted.company_uuid,
        channel_uuid: accepted.channel_uuid,
        conversation_uuid: conversationUuid,
        contact_uuid: contactUuid,
        type: accepted.message_type,
        content: accepted.content,
        operation_uuid: operationUuid,
        text: accepted.text,
        ...(accepted.metadata ? { metadata: accepted.metadata } : {}),
      },
    },
    { ...context, assumeNew: state.attempt === 0 },
  );
  try {
    const [begun] = await Promise.all([beginning, queueing]);
    return begun;
  } catch (error) {
    // Wait for it: the append must not be stored unnoticed after the next claim has begun.
    await beginning.catch(() => undefined);
    throw error;
  }
}

async function call(
  one: AttemptPass,
  { channel, contact, to }: Prepared,
  attempt: number,
): Promise<SendDisposition> {
  const { app, input, accepted, context } = one;
  const { operationUuid, ending } = input;
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
    { to, content: outboundContent(accepted), opaque: operationUuid },
  );
  span?.end({ 'recado.outcome': outcome.kind, ...codeOf(outcome) }, failureOf(outcome));
  const messageUuid = outboundMessageId(operationUuid);
  return recordOutcome(app, {
    operationUuid,
    messageUuid,
    accepted,
    attempt,
    channel,
    contact,
    outcome,
    context,
    ending,
  });
}

const streamOf = ({ operationUuid }: AttemptInput): string => operationStream.toName(operationUuid);

/** Lets the next pass in this process call: the provider has not been called. */
function remember({ input, context, resumed }: AttemptPass): void {
  input.begun.set(input.operationUuid, resumed ?? deriveId(streamOf(input), context.commandId, 0));
}

/** If the work fails, the next pass continues the attempt. */
const orRemember = <T>(one: AttemptPass, work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    remember(one);
    throw error;
  });

/** The process is shutting down: the attempt is on record, but the provider was not called. The row keeps its place. */
async function putOff(one: AttemptPass, attempt: number): Promise<SendDisposition> {
  const { app, input, context } = one;
  const step = await orRemember(one, notCalled(app, input.operationUuid, attempt, context));
  return step.kind === 'again' ? { ...step, at: input.dueAt } : step;
}

const notBegun = ({ dueAt }: AttemptInput): SendDisposition => ({ kind: 'again', at: dueAt, judged: null });

const codeOf = (outcome: SendOutcome): Readonly<Record<string, number>> =>
  outcome.kind === 'rejected' ? { 'recado.provider_code': outcome.error.code } : {};

/** The provider's own wording may name a recipient: only its code is reported. */
function failureOf(outcome: SendOutcome): string | undefined {
  if (outcome.kind === 'accepted') return undefined;
  return outcome.kind === 'rejected' ? `provider code ${outcome.error.code}` : outcome.kind;
}
