/**
 * Fetches single templates that something said changed: a webhook, a refused send. Rows of the due-time store, claimed
 * one by one, so that any number of processes may do it and a killed one loses none.
 */
import type { App } from '../../application/app.js';
import { REFRESH_QUEUE, refreshTemplate, type RefreshOrder } from '../../application/templates/refresh.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ClaimedEntry } from '../../ports/due-times.js';
import type { Rounds } from '../kernel/every.js';
import { createTrouble } from '../kernel/trouble.js';
import { inBatches } from '../lanes/policy.js';
import { startScheduler, type End } from '../lanes/scheduler.js';
import { watchedChannels } from './channels.js';

/** Longer than a fetch takes. */
const LEASE_MS = 5 * 60_000;
const FIRST_RETRY_MS = 15_000;
const LAST_RETRY_MS = 60 * 60_000;
/** About six hours: by then a whole sync has come by. */
const MAX_CLAIMS = 14;
const ACTOR = { actor: 'worker:template-refresh' };

export function startTemplateRefresh(app: App, { tickMs = 2_000 } = {}): Rounds {
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

  /** Any number of the account will do. */
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
    // An account whose numbers nobody shows yet is none without a number. What is not claimed is no try.
    dueBy: (now) => app.barrier.wait(['channels'], 'recently').then(() => now),
    trouble: createTrouble(app, 'fetching templates'),
  });
}

const PASSING: ReadonlySet<string> = new Set(['provider_unavailable', 'concurrent_update']);
