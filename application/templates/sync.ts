/**
 * Imports all templates of a channel's WhatsApp account page by page, under a lease per account. Progress is stored, so
 * that after an interruption (a failure, a killed process) the next sync resumes where the last one stopped.
 */
import type { Channel } from '../../domain/channel/state.js';
import type { ChannelUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { Position } from '../../ports/event-store.js';
import type { Lease } from '../../ports/leases.js';
import type { ProviderTemplatePage } from '../../ports/provider.js';
import { pause } from '../../ports/waiting.js';
import type { TemplateSyncProgress } from '../../read-models/template-syncs.js';
import { templates } from '../../read-models/templates.js';
import type { App } from '../app.js';
import { credentialsOf, loadHeldChannel } from '../provisioning/channels.js';
import { providerRefusal, type Caller, type Written } from '../provisioning/common.js';
import { importTemplate, later, type TemplateAccount } from './import.js';
import { readProgress, seenMark, writeProgress, type StoredProgress } from './progress.js';
import { refreshTemplate } from './refresh.js';

/** A sync of templates takes this of the app. */
export type TemplateSyncDeps = Pick<
  App,
  'clock' | 'executor' | 'indexSecret' | 'leases' | 'logger' | 'newId' | 'provider' | 'readModels' | 'secrets'
>;

export interface TemplateSync extends Written {
  /** Templates in the account now. */
  readonly total: number;
  readonly imported: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
}

export interface SyncOptions {
  readonly onProgress?: (progress: TemplateSyncProgress) => void;
  /** Called between pages; true leaves the rest to the next sync. */
  readonly stopping?: () => boolean;
}

/** Far above what an account may hold (6,000 templates); ends a listing with cyclic cursors. */
const MAX_PAGES = 2_000;
/** An older listing is restarted: its cursors may have expired, and the account has changed since. */
const RESUME_WITHIN_MS = 60 * 60_000;
/** Maximum missing names that one sync checks with the provider; the next sync checks the others. */
const MAX_CHECKS = 100;
const READ_MODEL_PAGE = 200;
const LEASE_TRIES = 15;

/**
 * Reads every template of the account, in any status, and records what differs. A template that is no longer listed is
 * fetched by name before it is marked as removed, as a listing may skip one that changed meanwhile. An entirely empty
 * listing removes nothing.
 *
 * @throws Refusal not_found, channel_not_connected, provider_rejected, provider_unavailable; concurrent_update when
 * another process keeps syncing the account; unavailable when `stopping` returns true
 */
export async function syncTemplates(
  app: TemplateSyncDeps,
  input: { readonly channelUuid: ChannelUuid },
  caller: Caller,
  options: SyncOptions = {},
): Promise<TemplateSync> {
  const channel = await loadHeldChannel(app, input.channelUuid);
  const account = { ...input, companyUuid: channel.companyUuid, wabaId: channel.wabaId };
  const lease = await acquire(app, account);
  try {
    return await syncUnderLease(app, { account, channel, lease, caller, ...options });
  } finally {
    await lease.release().catch(() => undefined);
  }
}

interface Run extends SyncOptions {
  readonly account: TemplateAccount;
  readonly channel: Channel;
  readonly lease: Lease;
  readonly caller: Caller;
}

async function acquire(
  app: Pick<App, 'clock' | 'leases'>,
  { companyUuid, wabaId }: TemplateAccount,
): Promise<Lease> {
  for (let tries = 1; ; tries += 1) {
    const lease = await app.leases.acquire(`templates:${companyUuid}:${wabaId}`);
    if (lease !== null) return lease;
    if (tries >= LEASE_TRIES) {
      throw new Refusal('concurrent_update', 'The templates of this account are being synced already.', {
        retry_after_seconds: 10,
      });
    }
    await pause(app.clock, 1_000);
  }
}

async function syncUnderLease(
  app: Pick<
    App,
    'clock' | 'executor' | 'indexSecret' | 'logger' | 'newId' | 'provider' | 'readModels' | 'secrets'
  >,
  run: Run,
): Promise<TemplateSync> {
  const { account, onProgress, stopping } = run;
  let stored = await begin(app, account);
  onProgress?.(stored.doc);
  const save = async (change: Partial<TemplateSyncProgress>): Promise<void> => {
    const updated_at = new Date(app.clock.now()).toISOString();
    stored = await writeProgress(app.readModels, stored, { ...stored.doc, ...change, updated_at });
    onProgress?.(stored.doc);
  };
  let position: Position | null = null;
  try {
    for (let last = false; !last;) {
      const page = await readPage(app, run, stored.doc);
      if (page === 'begin_anew') {
        await save(emptyListing);
        continue;
      }
      const read = await importPage(app, run, stored.doc, page);
      position = later(position, read.position);
      await save(read.progress);
      last = page.next === null;
    }
    const { removed, position: removedAt } = await removeVanished(app, run, stored.doc);
    position = later(position, removedAt);
    const counts = { ...stored.doc.counts, removed: stored.doc.counts.removed + removed };
    const finished_at = new Date(app.clock.now()).toISOString();
    await save({ state: 'finished', counts, expected: stored.doc.seen.length, finished_at });
  } catch (error) {
    // Imported pages stay imported. If the store is unavailable, only this failure note is lost, not the progress.
    if (stopping?.()) throw error;
    await save({ state: 'failed', problem: problemOf(error) }).catch(() => undefined);
    throw error;
  }
  return { total: stored.doc.seen.length, ...stored.doc.counts, position };
}

const emptyListing = {
  cursor: null,
  pages: 0,
  seen: [],
  counts: { imported: 0, changed: 0, unchanged: 0, removed: 0 },
} as const;

/** The progress to resume from: that of a recently interrupted sync, else a new one. */
async function begin(
  app: Pick<App, 'clock' | 'readModels'>,
  account: TemplateAccount,
): Promise<StoredProgress> {
  const before = await readProgress(app.readModels, account.companyUuid, account.wabaId);
  const now = app.clock.now();
  const resumes =
    before !== undefined &&
    before.doc.state !== 'finished' &&
    before.doc.cursor !== null &&
    Date.parse(before.doc.updated_at) > now - RESUME_WITHIN_MS;
  const at = new Date(now).toISOString();
  return writeProgress(app.readModels, before, {
    company_uuid: account.companyUuid,
    channel_uuid: account.channelUuid,
    waba_id: account.wabaId,
    ...(resumes ? before.doc : { ...emptyListing, started_at: at }),
    state: 'running',
    expected: before?.doc.expected ?? null,
    problem: null,
    updated_at: at,
    finished_at: null,
  });
}

async function readPage(
  app: Pick<App, 'provider' | 'secrets'>,
  { channel, lease, stopping }: Run,
  { cursor, pages }: TemplateSyncProgress,
): Promise<ProviderTemplatePage | 'begin_anew'> {
  if (!lease.held()) throw new Error('another process has taken the sync of these templates over');
  if (stopping?.()) throw stopped();
  if (pages >= MAX_PAGES) throw new Error(`WhatsApp lists more than ${MAX_PAGES} pages of templates`);
  const read = await app.provider.listTemplates(credentialsOf(app, channel), cursor);
  if (read.ok) return read.value;
  const refusal = providerRefusal(read);
  // Cursors expire (Graph, "Paginated results").
  if (cursor !== null && read.error?.code === 100) return 'begin_anew';
  throw refusal;
}

async function importPage(
  app: Pick<App, 'executor' | 'newId'>,
  { account, caller }: Run,
  before: TemplateSyncProgress,
  page: ProviderTemplatePage,
): Promise<{ readonly progress: Partial<TemplateSyncProgress>; readonly position: Position | null }> {
  // Concurrently, so that a page needs few commits.
  const results = await Promise.all(
    page.templates.map((template) => importTemplate(app, account, template, caller)),
  );
  const counts = { ...before.counts };
  for (const { change } of results) counts[change] += 1;
  return {
    progress: {
      cursor: page.next,
      pages: before.pages + 1,
      // Pages shift while templates are created; each mark counts once.
      seen: [...new Set([...before.seen, ...results.map(({ id }) => seenMark(id))])],
      counts,
    },
    position: results.reduce<Position | null>((at, result) => later(at, result.position), null),
  };
}

async function removeVanished(
  app: Pick<App, 'executor' | 'indexSecret' | 'logger' | 'newId' | 'provider' | 'readModels' | 'secrets'>,
  { account, caller }: Run,
  { seen }: TemplateSyncProgress,
): Promise<{ readonly removed: number; readonly position: Position | null }> {
  let removed = 0;
  let position: Position | null = null;
  if (seen.length === 0) return { removed, position };
  const names = await vanished(app, account, new Set(seen));
  if (names.length > MAX_CHECKS) {
    app.logger.warn(
      { waba_id: account.wabaId, vanished: names.length },
      'many templates are not listed any more; they are checked over several syncs',
    );
  }
  for (const name of names.slice(0, MAX_CHECKS)) {
    const done = await refreshTemplate(app, { channelUuid: account.channelUuid, name }, caller);
    removed += done.removed;
    position = later(position, done.position);
  }
  return { removed, position };
}

/** Names with a version that Recado has recorded and the listing did not contain. */
async function vanished(
  app: Pick<App, 'readModels'>,
  { companyUuid, wabaId }: TemplateAccount,
  seen: ReadonlySet<string>,
): Promise<readonly string[]> {
  const names = new Set<string>();
  let after: readonly (string | number | null)[] | undefined;
  do {
    const page = await app.readModels.find(templates.name, {
      index: 'by_company',
      equals: [companyUuid],
      order: 'asc',
      limit: READ_MODEL_PAGE,
      ...(after ? { after } : {}),
    });
    for (const { id, doc } of page.documents) {
      const known = doc.waba_id === wabaId && doc.removed_at === null;
      if (known && !seen.has(seenMark(id))) names.add(doc.name);
    }
    after = page.next ?? undefined;
  } while (after !== undefined);
  return [...names];
}

const stopped = (): Refusal =>
  new Refusal('unavailable', 'The sync was interrupted; it resumes where it stopped.', {
    retry_after_seconds: 60,
  });

/** Unexpected errors are only logged, not shown. */
const problemOf = (error: unknown): TemplateSyncProgress['problem'] =>
  error instanceof Refusal
    ? { code: error.code, message: error.message }
    : { code: 'internal_error', message: 'The sync was interrupted; it resumes by itself.' };
