/**
 * Fetches the versions of one template name after a sign that they changed. Webhooks repeat, arrive out of order and
 * never contain a whole template, so only the provider's own response counts.
 */
import { deriveId, type ChannelUuid, type CompanyUuid } from '../../domain/kernel/ids.js';
import type { Position } from '../../ports/event-store.js';
import type { ProviderTemplate } from '../../ports/provider.js';
import { templates } from '../../read-models/templates.js';
import type { App } from '../app.js';
import { credentialsOf, loadHeldChannel } from '../provisioning/channels.js';
import { providerRefusal, type Caller, type Written } from '../provisioning/common.js';
import { importTemplate, later, removeTemplate } from './import.js';

export const REFRESH_QUEUE = 'template-refresh';

/** Payload of a due-time row of the queue. */
export type RefreshOrder = {
  readonly company_uuid: CompanyUuid;
  readonly waba_id: string;
  readonly name: string;
};

/**
 * Changes reported within this time share one fetch, made after it has passed. A burst of webhooks costs one call, and
 * the fetch includes every change reported before it.
 */
const GATHER_MS = 5_000;

/** Schedules a fetch of the versions of a name; a process that runs workers makes it soon. */
export async function requestRefresh(
  app: Pick<App, 'clock' | 'dueTimes'>,
  order: RefreshOrder,
): Promise<void> {
  const bucket = Math.floor(app.clock.now() / GATHER_MS) + 1;
  await app.dueTimes.schedule([
    {
      queue: REFRESH_QUEUE,
      id: deriveId('template-refresh', order.company_uuid, order.waba_id, order.name, bucket),
      lane: order.waba_id,
      dueAt: bucket * GATHER_MS,
      payload: { ...order },
    },
  ]);
}

export interface TemplateRefresh extends Written {
  readonly imported: number;
  readonly changed: number;
  readonly removed: number;
}

/** The provider matches parts of names, so a listing may have many pages. Also ends a listing with cyclic cursors. */
const MAX_PAGES = 70;
/** More languages than WhatsApp has. */
const MAX_VERSIONS = 500;

/** @throws Refusal not_found, channel_not_connected, provider_rejected, provider_unavailable */
export async function refreshTemplate(
  app: Pick<App, 'executor' | 'indexSecret' | 'newId' | 'provider' | 'readModels' | 'secrets'>,
  input: { readonly channelUuid: ChannelUuid; readonly name: string },
  caller: Caller,
): Promise<TemplateRefresh> {
  const channel = await loadHeldChannel(app, input.channelUuid);
  const { companyUuid, wabaId } = channel;
  const account = { companyUuid, channelUuid: input.channelUuid, wabaId };
  const found: ProviderTemplate[] = [];
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const read = await app.provider.listTemplates(credentialsOf(app, channel), after, input.name);
    if (!read.ok) throw providerRefusal(read);
    found.push(...read.value.templates.filter(({ name }) => name === input.name));
    after = read.value.next;
    if (after === null) break;
  }
  const results = await Promise.all(found.map((template) => importTemplate(app, account, template, caller)));
  // A listing that did not end does not prove that a version is missing.
  const gone = after === null ? await knownVersions(app, companyUuid, wabaId, input.name) : [];
  const seen = new Set(results.map(({ id }) => id));
  for (const id of gone) {
    if (!seen.has(id)) results.push(await removeTemplate(app, companyUuid, id, caller));
  }
  const count = (change: string): number => results.filter((result) => result.change === change).length;
  return {
    imported: count('imported'),
    changed: count('changed'),
    removed: count('removed'),
    position: results.reduce<Position | null>((at, { position }) => later(at, position), null),
  };
}

async function knownVersions(
  app: Pick<App, 'readModels'>,
  companyUuid: CompanyUuid,
  wabaId: string,
  name: string,
): Promise<readonly string[]> {
  const { documents } = await app.readModels.find(templates.name, {
    index: 'by_company',
    equals: [companyUuid, name],
    order: 'asc',
    limit: MAX_VERSIONS,
  });
  return documents.filter(({ doc }) => doc.waba_id === wabaId && doc.removed_at === null).map(({ id }) => id);
}
