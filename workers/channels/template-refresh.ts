/**
 * Fetches single templates after a webhook or a refused send reported a change. The requests are rows of the due-time
 * store, claimed one by one, so any number of processes may work on them and a killed process loses none.
 */
import type { App } from '../../application/app.js';
import { REFRESH_QUEUE, refreshTemplate, type RefreshOrder } from '../../application/templates/refresh.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ClaimedEntry } from '../../ports/due-times.js';
import type { Rounds } from '../kernel/every.js';
import { createThrottledErrorLog } from '../kernel/throttled-error-log.js';
import { inBatches } from '../lanes/policy.js';
import { startScheduler, type End } from '../lanes/scheduler.js';
import { watchedChannels } from './channels.js';

/** Longer than a fetch takes. */
const LEASE_MS = 5 * 60_000;
const FIRST_RETRY_MS = 15_000;
const LAST_RETRY_MS = 60 * 60_000;
/** About six hours of retries; within that time a full sync has run. */
const MAX_CLAIMS = 14;
const ACTOR = { actor: 'worker:template-refresh' };

export function startTemplateRefresh(
  app: Pick<
    App,
    | 'barrier'
    | 'clock'
    | 'dueTimes'
    | 'executor'
    | 'indexSecret'
    | 'logger'
    | 'newId'
    | 'provider'
    | 'readModels'
    | 'secrets'
  >,
  { tickMs = 2_000 } = {},
): Rounds {
  const { clock, logger } = app;

  async function fetch({ claims, payload }: ClaimedEntry): Promise<End> {
    const order = payload as RefreshOrder;
    try {
      const channelUuid = await channelOf(order);
      if (channelUuid !== null) await refreshTemplate(app, { channelUuid, name: order.name }, ACTOR);
      return 'done';
    } catch (error) {
      const passing = !(error instanceof Refusal) || PASSING.has(error.code);
      logger.warn({ err: error, template: order.name, claims }, 'a template could not be fetched');
      if (!passing || claims >= MAX_CLAIMS) return 'done';
      return { dueAt: clock.now() + Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (claims - 1)) };
    }
  }

  /** Any number of the account can be used. */
  async function channelOf({ company_uuid, waba_id }: RefreshOrder): Promise<string | null> {
    for await (const channel of watchedChannels(app.readModels, waba_id)) {
      if (channel.company_uuid === company_uuid && channel.status !== 'unauthorized') return channel.uuid;
    }
    return null;
  }

  return startScheduler(app, {
    queue: REFRESH_QUEUE,
    policy: inBatches(1),
    leaseMs: LEASE_MS,
    pollMs: tickMs,
    work: fetch,
    // Waits for the channels read model: an account whose numbers are not in it yet must not count as one without
    // numbers. A row that is not claimed uses up no try.
    dueBy: (now) => app.barrier.wait(['channels'], 'recently').then(() => now),
    trouble: createThrottledErrorLog(app, 'fetching templates'),
  });
}

const PASSING: ReadonlySet<string> = new Set(['provider_unavailable', 'concurrent_update']);
