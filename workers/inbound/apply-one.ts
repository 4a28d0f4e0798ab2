/** Applies or parks one update of a webhook, independently of the others. */
import { messageOf } from '../../ports/thrown.js';
import { causedBy, type App } from '../../application/app.js';
import type { CommandContext } from '../../application/execute.js';
import type { WebhookPointer } from '../../application/relay.js';
import { intakeAggregate } from '../../domain/intake/decide.js';
import { intakeStream } from '../../domain/streams.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { ProviderUpdate } from '../../ports/provider-webhook.js';
import { upTo } from '../kernel/up-to.js';
import type { Applied } from './applied.js';
import { applyUpdate, type InboundDeps } from './apply.js';
import type { PlacedUpdate } from './webhook.js';

/** Retries for updates that arrive early: a status may precede our own record of its call, an edit its message. */
const UNMATCHED_TRIES = 6;
const UNMATCHED_DELAY_MS = 2_000;
export const MAX_TRIES = 12;
/** A hint of where to start; the streams decide which conversation is current. */
const HINTS = ['conversations'];

/** Name of the consumer group; retries and parked messages carry it too. */
export const INBOUND = 'inbound';

/** `retry`: the reason to try it again. */
export type One = 'ok' | 'foreign' | { readonly retry: string };

/**
 * Reads as of the webhook's position.
 * @throws StoreUnavailable; any other error of an update becomes a reason to try it again
 */
export async function applyOne(
  app: InboundDeps & Pick<App, 'barrier' | 'logger'>,
  pointer: WebhookPointer,
  { index, update, receivedAt }: PlacedUpdate,
  tries: number,
): Promise<One> {
  const context = { ...contextOf(pointer, `${index}`), dataFrom: receivedAt };
  const result = await attempt(upTo(app, pointer.position, HINTS), update, context, tries);
  if (typeof result === 'string') return result;
  if ('retry' in result) return { retry: result.retry };
  await parkUpdate(app, pointer, { index, kind: update.kind, reason: result.park });
  return 'ok';
}

export async function parkUpdate(
  app: Pick<App, 'executor'>,
  pointer: WebhookPointer,
  parked: { readonly index: number; readonly kind: string; readonly reason: string },
): Promise<void> {
  await app.executor.execute(
    intakeAggregate,
    intakeStream.match(pointer.stream)!,
    { type: 'ParkUpdate', ...parked },
    contextOf(pointer, `park/${parked.index}`),
  );
}

const contextOf = (pointer: WebhookPointer, step: string): CommandContext =>
  causedBy(pointer, 'provider', `${pointer.event_id}/${step}`);

/** A failing update must not delay those behind it: it is retried later, and finally parked. */
async function attempt(
  app: InboundDeps & Pick<App, 'logger'>,
  update: ProviderUpdate,
  context: CommandContext,
  tries: number,
): Promise<Applied> {
  try {
    const result = await applyUpdate(app, update, context);
    if (typeof result === 'string' || !('retry' in result) || tries < UNMATCHED_TRIES) return result;
    return result.lastly === undefined ? { park: result.retry } : await result.lastly();
  } catch (error) {
    // Not caused by the update.
    if (error instanceof StoreUnavailable) throw error;
    app.logger.error({ err: error, kind: update.kind, tries }, 'an update of a provider webhook failed');
    const reason = messageOf(error);
    return tries >= MAX_TRIES ? { park: `it failed: ${reason}` } : { retry: reason };
  }
}

/** 2 s, 4 s, 8 s, … at most 5 minutes. */
export const waitBefore = (attemptNumber: number): number =>
  Math.min(300_000, UNMATCHED_DELAY_MS * 2 ** (attemptNumber - 2));
