/**
 * What a call to the provider turned out to be, written into the operation and its message. Known only in this process
 * until then, so it does not give up at the first store that is away.
 */
import type { App } from '../../application/app.js';
import type { CommandContext } from '../../application/execute.js';
import type { ResolvedContact } from '../../application/people/resolve-contact.js';
import { optOut } from '../../application/contacts/marketing.js';
import type { SendingChannel } from '../../application/send/choose-channel.js';
import { noteProviderFailure, releaseSlots } from '../../application/send/release.js';
import { contactAggregate } from '../../domain/contact/decide.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { messageAggregate } from '../../domain/message/decide.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import {
  classifyProviderError,
  SPAM_RATE_LIMIT,
  STOPPED_MARKETING,
} from '../../domain/policies/provider-errors.js';
import { sendingAggregate } from '../../domain/sending/decide.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { SendOutcome } from '../../ports/provider.js';
import { closeMessage, failMessage } from './close-message.js';
import { readOutcome, type Judged } from './outcome.js';

/** What the dispatcher has to do with the due-time entry afterwards. */
export type Step =
  | {
      readonly kind: 'done';
      readonly judged: Judged | null;
      /** Error code with which it was given up before the provider was called. */
      readonly refused?: string;
    }
  | { readonly kind: 'again'; readonly at: number; readonly judged: Judged | null }
  | { readonly kind: 'reconcile'; readonly until: number };

/** What an attempt may need of the stores, before and after its call; part of the lease on its row. */
export const RECORDING_MS = 30_000;
const RECORD_AGAIN_MS = 500;

export async function recordOutcome(
  app: App,
  call: {
    readonly operationUuid: string;
    readonly messageUuid: string;
    readonly attempt: number;
    readonly channel: SendingChannel;
    readonly contact: ResolvedContact;
    readonly outcome: SendOutcome;
    readonly context: CommandContext;
  },
): Promise<Step> {
  const { operationUuid, messageUuid, attempt, outcome, context } = call;
  const judged = readOutcome(outcome, attempt, app.clock.now(), app.settings.reconcileWindowMs);
  const after = { ...context, commandId: `${context.commandId}/outcome` };
  // First: it is true whatever becomes of this process, and nobody comes back to it once the operation has ended.
  await persistently(app, () => noteRefusal(app, call, judged, after));
  const { state } = await persistently(app, async () => {
    const recorded = app.executor.execute(
      operationAggregate,
      operationUuid,
      { type: 'RecordOutcome', attempt, outcome: judged.outcome },
      after,
    );
    const message = messageAfter(app, messageUuid, judged, after);
    const [result] = await Promise.all([recorded, message, learnWaId(app, call, after)]);
    return result;
  });
  await persistently(app, () => releaseSlots(app, operationUuid, state, after));
  if (state.phase === 'failed' && judged.outcome.kind === 'postponed') {
    // The next try would have come after the window.
    await closeMessage(app, operationUuid, state, after);
    return { kind: 'done', judged };
  }
  if (state.phase === 'waiting') return { kind: 'again', at: Date.parse(state.deferredUntil!), judged };
  if (state.phase === 'unknown') return { kind: 'reconcile', until: Date.parse(state.reconcileUntil!) };
  return { kind: 'done', judged };
}

const mayPass = (error: unknown): boolean =>
  error instanceof StoreUnavailable || (error instanceof Refusal && error.code === 'concurrent_update');

/** What the provider said is known only here: a store that is away for a moment must not make it unknown. */
async function persistently<T>(app: App, work: () => Promise<T>): Promise<T> {
  const until = app.clock.now() + RECORDING_MS / 2;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || app.clock.now() >= until) throw error;
      await new Promise<void>((resolve) => void app.clock.after(RECORD_AGAIN_MS, resolve));
    }
  }
}

/** What a refusal says about others than this one message. */
async function noteRefusal(
  app: App,
  call: Parameters<typeof recordOutcome>[1],
  { outcome, providerError }: Judged,
  context: CommandContext,
): Promise<void> {
  if (providerError === null || outcome.kind !== 'failed') return;
  const { operationUuid, messageUuid, channel, contact } = call;
  const { code } = providerError;
  const at = new Date(app.clock.now()).toISOString();
  const { state } = await app.executor.load(operationAggregate, operationUuid);
  await noteProviderFailure(app, operationUuid, state.accepted, [providerError], at, context);
  if (code === STOPPED_MARKETING) {
    await optOut(
      app,
      { companyUuid: channel.company_uuid, uuid: contact.uuid },
      { source: 'provider_131050', at, messageUuid },
      { ...context, commandId: `${context.commandId}/opt-out` },
    );
  }
  const { blockedSeconds } = classifyProviderError(code);
  if (code === SPAM_RATE_LIMIT && blockedSeconds !== null) {
    const until = new Date(app.clock.now() + blockedSeconds * 1000).toISOString();
    await app.executor.execute(
      sendingAggregate,
      channel.uuid,
      { type: 'PauseMarketing', code, operationUuid, until },
      { ...context, commandId: `${context.commandId}/pause`, subject: null },
    );
  }
}

async function messageAfter(
  app: App,
  messageUuid: string,
  judged: Judged,
  context: CommandContext,
): Promise<void> {
  const { outcome } = judged;
  if (outcome.kind === 'accepted') {
    await app.executor.execute(
      messageAggregate,
      messageUuid,
      {
        type: 'AcceptMessage',
        data: { provider_message_id: outcome.providerMessageId, held: outcome.held },
      },
      context,
    );
  } else if (outcome.kind === 'failed') {
    await failMessage(app, messageUuid, outcome, judged.providerError, context);
  }
}

async function learnWaId(
  app: App,
  call: {
    readonly channel: SendingChannel;
    readonly contact: ResolvedContact;
    readonly outcome: SendOutcome;
  },
  context: CommandContext,
): Promise<void> {
  const { channel, contact, outcome } = call;
  if (outcome.kind !== 'accepted' || outcome.waId === null) return;
  // The usual case, the phone's own digits, is not worth an event.
  const known = contact.contact.waIds[channel.uuid] ?? contact.contact.phone?.slice(1);
  if (known === outcome.waId) return;
  await app.executor.execute(
    contactAggregate,
    contact.uuid,
    { type: 'LearnWaId', channelUuid: channel.uuid, waId: outcome.waId },
    { ...context, commandId: `${context.commandId}/wa-id`, subject: contact.subject },
  );
}
