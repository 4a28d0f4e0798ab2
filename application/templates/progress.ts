/**
 * Progress of the latest sync of each WhatsApp account: the next sync resumes an interrupted one from it, and operators
 * see it. Bookkeeping, not history; only the holder of the account's lease writes it.
 */
import { deriveId, type CompanyUuid } from '../../domain/kernel/ids.js';
import type { ReadModels } from '../../ports/read-models.js';
import { templateSyncs, type TemplateSyncProgress } from '../../read-models/template-syncs.js';

export interface StoredProgress {
  readonly doc: TemplateSyncProgress;
  readonly version: string;
}

export const syncId = (companyUuid: CompanyUuid, wabaId: string): string =>
  deriveId('template-sync', companyUuid, wabaId);

const SEEN_LENGTH = 18;
export const seenMark = (templateUuid: string): string => templateUuid.slice(0, SEEN_LENGTH);

const defined = new WeakMap<ReadModels, Promise<void>>();

/** Runs in every process that syncs, regardless of how it was started. */
async function defineProgress(readModels: ReadModels): Promise<void> {
  let done = defined.get(readModels);
  if (done === undefined) {
    done = readModels.define(templateSyncs);
    defined.set(readModels, done);
    done.catch(() => defined.delete(readModels));
  }
  await done;
}

export async function readProgress(
  readModels: ReadModels,
  companyUuid: CompanyUuid,
  wabaId: string,
): Promise<StoredProgress | undefined> {
  await defineProgress(readModels);
  return readModels.get(templateSyncs.name, syncId(companyUuid, wabaId));
}

const VERSION_DIGITS = 12;

/** Returns the stored progress. One of two concurrent writes is ignored, but the lease allows only one writer. */
export async function writeProgress(
  readModels: ReadModels,
  before: StoredProgress | undefined,
  doc: TemplateSyncProgress,
): Promise<StoredProgress> {
  const version = String(Number(before?.version ?? 0) + 1).padStart(VERSION_DIGITS, '0');
  await readModels.write(templateSyncs.name, [{ id: syncId(doc.company_uuid, doc.waba_id), doc, version }]);
  return { doc, version };
}
