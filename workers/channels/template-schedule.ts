/**
 * Syncs the templates of every account periodically, resumes interrupted syncs, and imports the templates of newly
 * connected accounts. One process runs the schedule; each sync also holds a lease for its account.
 */
import { readProgress, syncId } from '../../application/templates/progress.js';
import { syncTemplates, type TemplateSyncDeps } from '../../application/templates/sync.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { TemplateSyncProgress } from '../../read-models/template-syncs.js';
import { watchedChannels } from './channels.js';
import { every, type Rounds } from '../kernel/every.js';

export interface ScheduleOptions {
  readonly everyMs: number;
  /** Delay after a failed sync. */
  readonly retryMs: number;
  /** A running sync that has saved no progress for this long counts as dead. */
  readonly silentMs: number;
  /** Time between checks for due accounts. */
  readonly tickMs: number;
}

const DEFAULTS: ScheduleOptions = {
  everyMs: 6 * 60 * 60_000,
  retryMs: 10 * 60_000,
  silentMs: 2 * 60_000,
  tickMs: 30_000,
};

const ACTOR = { actor: 'worker:template-sync' };

/** 0.9 to 1.1, constant per account: spreads the accounts without storing a random number. */
const spread = (id: string): number => 0.9 + (parseInt(id.slice(0, 8), 16) / 0xffffffff) * 0.2;

function isDue(id: string, progress: TemplateSyncProgress, now: number, options: ScheduleOptions): boolean {
  const agoMs = now - Date.parse(progress.updated_at);
  // Written before the clock was set back, so the age is unknown.
  if (agoMs < 0) return true;
  switch (progress.state) {
    case 'finished':
      return agoMs >= options.everyMs * spread(id);
    case 'failed':
      return agoMs >= options.retryMs;
    case 'running':
      return agoMs >= options.silentMs;
  }
}

export function startTemplateSchedule(app: TemplateSyncDeps, given: Partial<ScheduleOptions> = {}): Rounds {
  const options: ScheduleOptions = { ...DEFAULTS, ...given };
  const { clock, logger, readModels } = app;

  async function round(stopping: () => boolean): Promise<void> {
    const looked = new Set<string>();
    for await (const { uuid, company_uuid, waba_id, status } of watchedChannels(readModels)) {
      if (stopping()) return;
      const id = syncId(company_uuid, waba_id);
      if (status === 'unauthorized' || looked.has(id)) continue;
      looked.add(id);
      const progress = await readProgress(readModels, company_uuid, waba_id);
      if (progress === undefined || isDue(id, progress.doc, clock.now(), options)) await sync(uuid, stopping);
    }
  }

  async function sync(channelUuid: string, stopping: () => boolean): Promise<void> {
    try {
      const { imported, changed, removed, total } = await syncTemplates(app, { channelUuid }, ACTOR, {
        stopping,
      });
      logger.info({ channel_uuid: channelUuid, total, imported, changed, removed }, 'templates are in sync');
    } catch (error) {
      // The round logs any other error; the account is synced again later in either case.
      if (!(error instanceof Refusal)) throw error;
      logger.warn(
        { channel_uuid: channelUuid, code: error.code, reason: error.message },
        'templates could not be synced; it is tried again',
      );
    }
  }

  return every(app, options.tickMs, 'looking after template syncs', round);
}
