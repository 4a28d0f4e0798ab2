/**
 * Fetches single templates that something said changed: a webhook, a refused send. Rows of the due-time store, claimed
 * one by one, so that any number of processes may do it and a killed one loses none.
 */
import type { App } from '../../application/app.js';
import { REFRESH_QUEUE, refreshTemplate, type RefreshOrder } from '../../application/templates/refresh.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { asItWas, type ClaimedEntry, type Settlement } from '../../ports/due-times.js';
import { watchedChannels } from './channels.js';
import { every, type Rounds } from '../kernel/every.js';

export interface RefreshOptions {
  readonly tickMs: number;
}

const DEFAULTS: RefreshOptions = { tickMs: 2_000 };
const AT_ONCE = 10;
/** Longer than a fetch takes. */
const LEASE_MS = 5 * 60_000;
const FIRST_RETRY_MS = 15_000;
const LAST_RETRY_MS = 60 * 60_000;
/** About six hours: by then a whole sync has come by. */
const MAX_CLAIMS = 14;
const ACTOR = { actor: 'worker:template-refresh' };

export function startTemplateRefresh(app: App, given: Partial<RefreshOptions> = {}): Rounds {
  const { dueTimes, clock, logger } = app;

  async function round(stopping: () => boolean): Promise<void> {
    const now = clock.now();
    const due = (await dueTimes.lanes(REFRESH_QUEUE, now)).filter(({ nextDueAt }) => nextDueAt <= now);
    // An account whose numbers nobody shows yet is none without a number. What is not claimed is no try.
    if (due.length > 0) await app.barrier.wait(['channels'], 'recently');
    for (const { lane } of due) {
      const claimed = await dueTimes.claim({
        queue: REFRESH_QUEUE,
        lane,
        now,
        limit: AT_ONCE,
        leaseMs: LEASE_MS,
      });
      for (const entry of claimed) await dueTimes.settle([stopping() ? asItWas(entry) : await fetch(entry)]);
      if (stopping()) return;
    }
  }

  async function fetch(entry: ClaimedEntry): Promise<Settlement> {
    const { queue, id, fence, claims } = entry;
    const order = entry.payload as unknown as RefreshOrder;
    const done: Settlement = { queue, id, fence, then: 'done' };
    try {
      const channelUuid = await channelOf(order);
      if (channelUuid === null) return done;
      await refreshTemplate(app, { channelUuid, name: order.name }, ACTOR);
      return done;
    } catch (error) {
      const passing = !(error instanceof Refusal) || PASSING.has(error.code);
      logger.warn({ err: error, template: order.name, claims }, 'a template could not be fetched');
      if (!passing || claims >= MAX_CLAIMS) return done;
      const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (claims - 1));
      return { queue, id, fence, then: 'again', dueAt: clock.now() + wait };
    }
  }

  /** Any number of the account will do. */
  async function channelOf({ company_uuid, waba_id }: RefreshOrder): Promise<string | null> {
    for await (const channel of watchedChannels(app.readModels, waba_id)) {
      if (channel.company_uuid === company_uuid && channel.status !== 'unauthorized') return channel.uuid;
    }
    return null;
  }

  const options: RefreshOptions = { ...DEFAULTS, ...given };
  return every(app, options.tickMs, 'fetching templates', round);
}

const PASSING: ReadonlySet<string> = new Set(['provider_unavailable', 'concurrent_update']);
