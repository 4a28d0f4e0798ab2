/**
 * How far the latest sync of each WhatsApp account got: what a sync that follows a broken one goes on from, and what
 * operators see. Bookkeeping, not history; written by whoever holds the account's lease.
 */
import { deriveId } from '../../domain/kernel/ids.js';
import type { CollectionSpec, ReadModels } from '../../ports/read-models.js';
import type { TemplateChange } from './import.js';

const TEMPLATE_SYNCS: CollectionSpec = {
  name: 'template_syncs',
  version: 1,
  indexes: { by_company: ['company_uuid', 'started_at'] },
};

export type TemplateSyncProgress = {
  readonly company_uuid: string;
  readonly channel_uuid: string;
  readonly waba_id: string;
  /** `running` of a process that died stays until the next sync. */
  readonly state: 'running' | 'finished' | 'failed';
  /** Where the next page begins; null before the first and after the last. */
  readonly cursor: string | null;
  readonly pages: number;
  /** Beginnings of the uuids of all templates listed so far: long enough to tell 6,000 apart. */
  readonly seen: readonly string[];
  readonly counts: Readonly<Record<TemplateChange, number>>;
  /** In the account when a sync last ended; null when none ever did. */
  readonly expected: number | null;
  readonly problem: { readonly code: string; readonly message: string } | null;
  readonly started_at: string;
  readonly updated_at: string;
  readonly finished_at: string | null;
};

export interface StoredProgress {
  readonly doc: TemplateSyncProgress;
  readonly version: string;
}

export const syncId = (companyUuid: string, wabaId: string): string =>
  deriveId('template-sync', companyUuid, wabaId);

const SEEN_LENGTH = 18;
export const seenMark = (templateUuid: string): string => templateUuid.slice(0, SEEN_LENGTH);

const defined = new WeakMap<ReadModels, Promise<void>>();

/** Asked for in every process that syncs, whichever way it was started. */
async function defineProgress(readModels: ReadModels): Promise<void> {
  let done = defined.get(readModels);
  if (done === undefined) {
    done = readModels.define(TEMPLATE_SYNCS);
    defined.set(readModels, done);
    done.catch(() => defined.delete(readModels));
  }
  await done;
}

export async function readProgress(
  readModels: ReadModels,
  companyUuid: string,
  wabaId: string,
): Promise<StoredProgress | undefined> {
  await defineProgress(readModels);
  return readModels.get<TemplateSyncProgress>(TEMPLATE_SYNCS.name, syncId(companyUuid, wabaId));
}

const VERSION_DIGITS = 12;

/** Answers the stored form. Of two writers at once one is ignored: the lease says that there is only one. */
export async function writeProgress(
  readModels: ReadModels,
  before: StoredProgress | undefined,
  doc: TemplateSyncProgress,
): Promise<StoredProgress> {
  const version = String(Number(before?.version ?? 0) + 1).padStart(VERSION_DIGITS, '0');
  await readModels.write(TEMPLATE_SYNCS.name, [{ id: syncId(doc.company_uuid, doc.waba_id), doc, version }]);
  return { doc, version };
}
