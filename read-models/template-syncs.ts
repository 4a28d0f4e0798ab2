/** Progress of the latest sync of each WhatsApp account. Bookkeeping, not history. */
import type { ChannelUuid, CompanyUuid } from '../domain/kernel/ids.js';
import { collection } from './collection.js';

export type TemplateChange = 'imported' | 'changed' | 'unchanged' | 'removed';

export type TemplateSyncProgress = {
  readonly company_uuid: CompanyUuid;
  readonly channel_uuid: ChannelUuid;
  readonly waba_id: string;
  /** When a process dies, `running` stays until the next sync. */
  readonly state: 'running' | 'finished' | 'failed';
  /** Where the next page begins; null before the first and after the last. */
  readonly cursor: string | null;
  readonly pages: number;
  /** Prefixes of the uuids of all templates listed so far, long enough to distinguish 6,000 templates. */
  readonly seen: readonly string[];
  readonly counts: Readonly<Record<TemplateChange, number>>;
  /** Number of templates in the account when the last sync ended; null when no sync has ended yet. */
  readonly expected: number | null;
  readonly problem: { readonly code: string; readonly message: string } | null;
  readonly started_at: string;
  readonly updated_at: string;
  readonly finished_at: string | null;
};

export const templateSyncs = collection<TemplateSyncProgress>()({
  name: 'template_syncs',
  version: 1,
  indexes: { by_company: ['company_uuid', 'started_at'] },
});
