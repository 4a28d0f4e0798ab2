/**
 * Writes the outcome of a provider call into the operation and its message. Until then only this process knows it. So
 * it is not given up while the process lives, however long a store is unavailable.
 */
import type { App } from '../../application/app.js';
import type { CommandContext } from '../../application/execute.js';
import type { ResolvedContact } from '../../application/people/resolve-contact.js';
import { optOut } from '../../application/contacts/marketing.js';
import type { SendingChannel } from '../../application/send/choose-channel.js';
import { RECONCILE_QUEUE } from '../../application/send/queue.js';
import { noteProviderFailure, releaseSlots } from '../../application/send/release.js';
import { contactAggregate } from '../../domain/contact/decide.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { messageAggregate } from '../../domain/message/decide.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import type { SendAsAccepted } from '../../domain/operation/state.js';
import {
  classifyProviderError,
  SPAM_RATE_LIMIT,
  STOPPED_MARKETING,
} from '../../domain/policies/provider-errors.js';
import { channelControlsAggregate } from '../../domain/channel-controls/decide.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { SendOutcome } from '../../ports/provider.js';
import { pause } from '../../ports/waiting.js';
import { closeMessage, failMessage } from './close-message.js';
import { readOutcome, type ClassifiedOutcome } from './outcome.js';

/** The dispatcher's next action on the due-time entry. */
export type SendDisposition =
  | {
      readonly kind: 'done';
      readonly judged: ClassifiedOutcome | null;
      /** Error code of a send that was given up before the provider was called. */
      readonly refused?: string;
    }
  | { readonly kind: 'again'; readonly at: number; readonly judged: ClassifiedOutcome | null }
  | { readonly kind: 'reconcile'; readonly until: number };

/** Time that an attempt may need for the stores, before and after its call; part of the lease on its row. */
export const RECORDING_MS = 30_000;
const RECORD_AGAIN_MS = 500;
/** How long a process that is shutting down waits for a store. */
const ENDING_MS = 5_000;
/** Longest pause between retries: not every attempt asks an unavailable store twice a second. */
const LONGEST_PAUSE_MS = 5_000;

export async function recordOutcome(
  app: Pick<
    App,
    'clock' | 'codec' | 'dueTimes' | 'executor' | 'indexSecret' | 'readModels' | 'settings' | 'store'
  >,
  call: {
    readonly operationUuid: string;
    readonly messageUuid: string;
    readonly accepted: SendAsAccepted;
    readonly attempt: number;
    readonly channel: SendingChannel;
    readonly contact: ResolvedContact;
    readonly outcome: SendOutcome;
    readonly context: CommandContext;
    /**
     * True once the process is shutting down: an outcome that cannot be recorded soon is left to the status webhooks.
     */
    readonly ending: () => boolean;
  },
): Promise<SendDisposition> {
  const { operationUuid, messageUuid, attempt, outcome, context } = call;
  const judged = readOutcome(outcome, attempt, app.clock.now(), app.settings.reconcileWindowMs);
  const after = { ...context, commandId: `${context.commandId}/outcome` };
  // First: it is true even if this process dies, and nobody returns to it once the operation has ended.
  await persistently(app, call, () => noteRefusal(app, call, judged, after));
  const { state } = await persistently(app, call, async () => {
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
  await persistently(app, call, () => releaseSlots(app, operationUuid, state, after));
  if (state.phase === 'failed' && judged.outcome.kind === 'postponed') {
    // The next attempt would have come after the window.
    await closeMessage(app, operationUuid, after);
    return { kind: 'done', judged };
  }
  if (state.phase === 'waiting') return { kind: 'again', at: Date.parse(state.deferredUntil!), judged };
  if (state.phase === 'unknown') return { kind: 'reconcile', until: Date.parse(state.reconcileUntil!) };
  return { kind: 'done', judged };
}

/** A store is unavailable, or others write to the same stream: the same work may succeed a moment later. */
export const isTransient = (error: unknown): boolean =>
  error instanceof StoreUnavailable || (error instanceof Refusal && error.code === 'concurrent_update');

/**
 * Retries while a store is unavailable: only this process knows the provider's answer, and an outage must not make it
 * unknown. The attempt still counts as a call under way, which bounds how many can wait here.
 */
async function persistently<T>(
  app: Pick<App, 'clock' | 'dueTimes' | 'settings'>,
  { operationUuid, ending }: { readonly operationUuid: string; readonly ending: () => boolean },
  work: () => Promise<T>,
): Promise<T> {
  const from = app.clock.monotonic();
  for (let ms = RECORD_AGAIN_MS; ; ms = Math.min(2 * ms, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      const passed = app.clock.monotonic() - from;
      if (!isTransient(error) || (ending() && passed >= ENDING_MS)) throw error;
      if (passed >= RECORDING_MS / 2) await holdOff(app, operationUuid);
      await pause(app.clock, ms);
    }
  }
}

/**
 * Another process may have found the row meanwhile and wait for a status: it must wait at least one window from now.
 */
async function holdOff(
  app: Pick<App, 'clock' | 'dueTimes' | 'settings'>,
  operationUuid: string,
): Promise<void> {
  const until = app.clock.now() + app.settings.reconcileWindowMs;
  await app.dueTimes.reschedule(RECONCILE_QUEUE, operationUuid, until).catch(() => false);
}

/** Records what a refusal means beyond this one message. */
async function noteRefusal(
  app: Pick<App, 'clock' | 'dueTimes' | 'executor' | 'indexSecret' | 'readModels'>,
  call: Parameters<typeof recordOutcome>[1],
  { outcome, providerError }: ClassifiedOutcome,
  context: CommandContext,
): Promise<void> {
  if (providerError === null || outcome.kind !== 'failed') return;
  const { operationUuid, messageUuid, accepted, channel, contact } = call;
  const { code } = providerError;
  const at = new Date(app.clock.now()).toISOString();
  await noteProviderFailure(app, operationUuid, accepted, [providerError], at, context);
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
      channelControlsAggregate,
      channel.uuid,
      { type: 'PauseMarketing', code, operationUuid, until },
      { ...context, commandId: `${context.commandId}/pause`, subject: null },
    );
  }
}

async function messageAfter(
  app: Pick<App, 'executor'>,
  messageUuid: string,
  judged: ClassifiedOutcome,
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
  app: Pick<App, 'executor'>,
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
