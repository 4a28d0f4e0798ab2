/**
 * Reads the provider webhooks that were kept. Every update is applied on its own: one that is not understood, or that
 * finds nothing to apply to, is parked where an operator sees it and never holds up or loses the others.
 */
import type { App } from '../../application/app.js';
import type { CommandContext } from '../../application/execute.js';
import { parseProviderWebhook } from '../../application/provider-webhook/parse.js';
import { INTAKE, type EventPointer } from '../../application/relay.js';
import { intakeAggregate } from '../../domain/intake/decide.js';
import type { IntakeEvent } from '../../domain/intake/events.js';
import { intakeStream } from '../../domain/intake/stream.js';
import type { ProviderUpdate } from '../../ports/provider-webhook.js';
import { handled, startWorker, type Outcome, type Worker } from '../kernel/consumer.js';
import { applyStatus } from './apply-status.js';
import { channelByPhoneNumberId } from './channels.js';
import { receiveMessage } from './receive-message.js';

/** A status may be faster than our own record of the call it belongs to. */
const UNMATCHED_TRIES = 6;
const UNMATCHED_DELAY_MS = 2_000;
const MAX_TRIES = 12;

type Applied = 'ok' | { readonly retry: string } | { readonly park: string };

export function startInboundWorker(
  app: App,
  onOutcome?: (group: string, outcome: Outcome['kind']) => void,
): Worker {
  return startWorker(app, {
    topic: INTAKE,
    group: 'inbound',
    maxTries: MAX_TRIES,
    maxBatch: 50,
    ...(onOutcome ? { onOutcome } : {}),
    handle: (value, tries) => readWebhook(app, value as EventPointer, tries),
  });
}

async function readWebhook(app: App, pointer: EventPointer, tries: number): Promise<Outcome> {
  const webhookUuid = intakeStream.match(pointer.stream);
  const records = await app.store.read(pointer.stream, { limit: 1 });
  const [first] = await app.codec.decodeAll<IntakeEvent>(records);
  if (webhookUuid === undefined || first?.event.type !== 'ProviderWebhookReceived')
    return { kind: 'skipped' };
  const { body } = first.event.data;
  // Its day's key is gone: it was read long ago, or has been kept for as long as it may be.
  if (body === null) return { kind: 'skipped' };
  const context: CommandContext = {
    company: pointer.company,
    actor: 'provider',
    commandId: pointer.event_id,
    correlationId: pointer.correlation_id,
    causationId: pointer.event_id,
    subject: null,
  };
  const park = (index: number, kind: string, reason: string) =>
    app.executor.execute(
      intakeAggregate,
      webhookUuid,
      { type: 'ParkUpdate', index, kind, reason },
      { ...context, commandId: `${context.commandId}/park/${index}` },
    );

  let updates: readonly ProviderUpdate[];
  try {
    updates = parseProviderWebhook(JSON.parse(Buffer.from(body, 'base64').toString('utf8')));
  } catch (error) {
    await park(0, 'unreadable', `not JSON: ${error instanceof Error ? error.message : String(error)}`);
    return handled;
  }
  let retry: string | null = null;
  const last = tries >= UNMATCHED_TRIES;
  for (const [index, update] of updates.entries()) {
    const result = await apply(app, update, { ...context, commandId: `${context.commandId}/${index}` });
    if (result === 'ok') continue;
    if ('park' in result) await park(index, update.kind, result.park);
    else if (last) await park(index, update.kind, result.retry);
    else retry = result.retry;
  }
  return retry === null
    ? handled
    : { kind: 'later', delayMs: UNMATCHED_DELAY_MS * 2 ** (tries - 1), reason: retry };
}

async function apply(app: App, update: ProviderUpdate, context: CommandContext): Promise<Applied> {
  if (update.kind !== 'status' && update.kind !== 'message') {
    return {
      park: update.kind === 'other' ? update.reason : `updates of kind "${update.kind}" are not applied yet`,
    };
  }
  const channel = await channelByPhoneNumberId(app.readModels, update.phoneNumberId);
  if (channel === null) return { park: `no channel has the phone number id ${update.phoneNumberId}` };
  const own: CommandContext = { ...context, company: channel.company_uuid };
  if (update.kind === 'message') {
    return (await receiveMessage(app, channel, update, own)) ? 'ok' : { park: 'the message names no sender' };
  }
  const result = await applyStatus(app, channel, update, own);
  if (result === 'applied') return 'ok';
  return result === 'ignored'
    ? { park: `unknown status "${update.status}"` }
    : { retry: `no message is known for the provider message id ${update.messageId}` };
}
