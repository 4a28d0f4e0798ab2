/**
 * Reads the provider webhooks that were kept. Every update is applied on its own: one that is not understood, or that
 * finds nothing to apply to, is parked where an operator sees it and never holds up or loses the others.
 */
import type { App } from '../../application/app.js';
import type { CommandContext } from '../../application/execute.js';
import { webhookBody } from '../../application/intake.js';
import { parseProviderWebhook } from '../../application/provider-webhook/parse.js';
import { INTAKE, type EventPointer } from '../../application/relay.js';
import { intakeAggregate } from '../../domain/intake/decide.js';
import type { IntakeEvent } from '../../domain/intake/events.js';
import { intakeStream } from '../../domain/intake/stream.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { ProviderUpdate } from '../../ports/provider-webhook.js';
import { handled, startWorker, type Outcome, type Worker } from '../kernel/consumer.js';
import { upTo } from '../kernel/up-to.js';
import type { Applied } from './applied.js';
import { applyUpdate } from './apply.js';
import { createPeopleInOrder, type PeopleInOrder } from './people-in-order.js';

/** A status may be faster than our own record of the call it belongs to, an edit faster than its message. */
const UNMATCHED_TRIES = 6;
const UNMATCHED_DELAY_MS = 2_000;
const MAX_TRIES = 12;
/** Which conversation is the present one, the streams know; that read model says from where to look. */
const HINTS = ['conversations'];

export interface InboundNotices {
  readonly onOutcome?: (group: string, outcome: Outcome['kind']) => void;
  /** Statuses of messages that another system sent by the same number. */
  readonly onForeign?: (count: number) => void;
}

export function startInboundWorker(app: App, { onOutcome, onForeign }: InboundNotices = {}): Worker {
  const people = createPeopleInOrder();
  return startWorker(app, {
    topic: INTAKE,
    group: 'inbound',
    maxTries: MAX_TRIES,
    maxBatch: 150,
    ...(onOutcome ? { onOutcome } : {}),
    handle: (value, tries) =>
      readWebhook(app, value as EventPointer, tries, { people, ...(onForeign ? { onForeign } : {}) }),
  });
}

export interface Reading extends Pick<InboundNotices, 'onForeign'> {
  /** Shared by all webhooks that are read side by side. */
  readonly people?: PeopleInOrder;
}

export async function readWebhook(
  app: App,
  pointer: EventPointer,
  tries: number,
  { onForeign, people = createPeopleInOrder() }: Reading = {},
): Promise<Outcome> {
  const webhookUuid = intakeStream.match(pointer.stream);
  if (webhookUuid === undefined) return { kind: 'skipped' };
  const opening = openWebhook(app, pointer);
  // Asked for at once: the order of the calls is the order of the webhooks.
  const places = await people.place(opening.then((opened) => opened?.updates ?? []));
  try {
    const opened = await opening;
    if (opened === null) return { kind: 'skipped' };
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
    if (opened.unreadable !== null) {
      await park(0, 'unreadable', opened.unreadable);
      return handled;
    }
    const asOfWebhook = upTo(app, pointer.position, HINTS);
    let retry: { readonly reason: string; readonly delayMs: number } | null = null;
    let foreign = 0;
    for (const [index, update] of opened.updates.entries()) {
      const own: CommandContext = { ...context, commandId: `${context.commandId}/${index}` };
      await places.turn(index);
      const result = await attempt(asOfWebhook, update, own, tries);
      places.leave(index);
      if (result === 'ok') continue;
      if (result === 'foreign') foreign += 1;
      else if ('park' in result) await park(index, update.kind, result.park);
      else retry ??= { reason: result.retry, delayMs: waitBefore(tries + 1) };
    }
    // Read again, it would be counted again.
    if (retry !== null) return { kind: 'later', ...retry };
    if (foreign > 0) onForeign?.(foreign);
    return handled;
  } finally {
    places.leaveAll();
  }
}

interface OpenedWebhook {
  readonly updates: readonly ProviderUpdate[];
  /** Why nothing can be made of it. */
  readonly unreadable: string | null;
}

/** Null when its day's key is gone: it was read long ago, or has been kept for as long as it may be. */
async function openWebhook(app: App, pointer: EventPointer): Promise<OpenedWebhook | null> {
  const records = await app.store.read(pointer.stream, { limit: pointer.revision + 1 });
  const kept = await app.codec.decodeAll<IntakeEvent>(records);
  const body = webhookBody(kept.map(({ event }) => event));
  if (body === null) return null;
  try {
    return { updates: parseProviderWebhook(JSON.parse(body.toString('utf8'))), unreadable: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { updates: [], unreadable: `not JSON: ${reason}` };
  }
}

/** One update that fails must not keep those behind it waiting; it comes back with the webhook, and is parked in the end. */
async function attempt(
  app: App,
  update: ProviderUpdate,
  context: CommandContext,
  tries: number,
): Promise<Applied> {
  try {
    const result = await applyUpdate(app, update, context);
    if (typeof result === 'string' || !('retry' in result) || tries < UNMATCHED_TRIES) return result;
    return result.lastly === undefined ? { park: result.retry } : await result.lastly();
  } catch (error) {
    // No fault of the update: all of the webhook waits for the store.
    if (error instanceof StoreUnavailable) throw error;
    app.logger.error({ err: error, kind: update.kind, tries }, 'an update of a provider webhook failed');
    const reason = error instanceof Error ? error.message : String(error);
    return tries >= MAX_TRIES ? { park: `it failed: ${reason}` } : { retry: reason };
  }
}

/** 2 s, 4 s, 8 s, … at most 5 minutes. */
const waitBefore = (attemptNumber: number): number =>
  Math.min(300_000, UNMATCHED_DELAY_MS * 2 ** (attemptNumber - 2));
