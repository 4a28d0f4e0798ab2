/** Brings the templates of a channel's WhatsApp account over. */
import { deriveId } from '../../domain/kernel/ids.js';
import { templateAggregate } from '../../domain/template/decide.js';
import type { Channel } from '../../domain/channel/state.js';
import type { ChannelCredentials, ProviderTemplate } from '../../ports/provider.js';
import type { Position } from '../../ports/event-store.js';
import { directCommand, type App } from '../app.js';
import { providerRefusal, type Caller, type Written } from '../provisioning/common.js';
import { credentialsOf, loadHeldChannel } from '../provisioning/channels.js';
import { templateCategory, templateStatus } from './status.js';

export interface TemplateSync extends Written {
  /** In the account now. */
  readonly total: number;
  readonly imported: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
}

type Change = 'imported' | 'changed' | 'unchanged';

/** Far above what an account may hold (6,000 templates); ends a listing whose cursors go round in circles. */
const MAX_PAGES = 2_000;
const READ_MODEL_PAGE = 200;

/** One stream per account, name and language, whoever names it. */
export const templateId = (companyUuid: string, wabaId: string, name: string, language: string): string =>
  deriveId('template', companyUuid, wabaId, name, language);

/**
 * Reads every template of the account, whatever its status, and records what differs. Those that are gone from the
 * account are removed, but only after the whole list was read. Broken off half-way, it is resumed by repeating it.
 *
 * @throws Refusal not_found, channel_not_connected, provider_rejected, provider_unavailable
 */
export async function syncTemplates(
  app: App,
  input: { readonly channelUuid: string },
  caller: Caller,
): Promise<TemplateSync> {
  const channel = await loadHeldChannel(app, input.channelUuid);
  const credentials = credentialsOf(app, channel);
  const seen = new Set<string>();
  const counts = { imported: 0, changed: 0, unchanged: 0 };
  let position: Position | null = null;
  for await (const page of pages(app, credentials)) {
    // Side by side, so that a page shares few commits.
    const results = await Promise.all(
      page.map((template) => importOne(app, channel, input.channelUuid, template, caller)),
    );
    for (const result of results) {
      if (result === null) continue;
      seen.add(result.id);
      counts[result.change] += 1;
      position = later(position, result.position);
    }
  }
  const gone = (await known(app, channel)).filter((id) => !seen.has(id));
  for (const id of gone) {
    const done = await app.executor.execute(
      templateAggregate,
      id,
      { type: 'RemoveTemplate' },
      directCommand(app, { company: channel.companyUuid, ...caller }),
    );
    position = later(position, done.position);
  }
  return { total: seen.size, ...counts, removed: gone.length, position };
}

/** Records templates that somebody hands over; removes none. @throws Refusal not_found, channel_not_connected */
export async function importTemplates(
  app: App,
  input: { readonly channelUuid: string; readonly templates: readonly ProviderTemplate[] },
  caller: Caller,
): Promise<void> {
  const channel = await loadHeldChannel(app, input.channelUuid);
  await Promise.all(
    input.templates.map((template) => importOne(app, channel, input.channelUuid, template, caller)),
  );
}

async function* pages(
  app: App,
  credentials: ChannelCredentials,
): AsyncGenerator<readonly ProviderTemplate[]> {
  let after: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const read = await app.provider.listTemplates(credentials, after);
    if (!read.ok) throw providerRefusal(read);
    yield read.value.templates;
    if (read.value.next === null) return;
    after = read.value.next;
  }
  throw new Error(`WhatsApp lists more than ${MAX_PAGES} pages of templates`);
}

/** Null for a template that is on its way out: it is left to the removal. */
async function importOne(
  app: App,
  channel: Channel,
  channelUuid: string,
  template: ProviderTemplate,
  caller: Caller,
): Promise<{ readonly id: string; readonly change: Change; readonly position: Position | null } | null> {
  const status = templateStatus(template.status);
  if (status === null) return null;
  const { companyUuid, wabaId } = channel;
  const { name, language } = template;
  const id = templateId(companyUuid, wabaId, name, language);
  const done = await app.executor.execute(
    templateAggregate,
    id,
    {
      type: 'ImportTemplate',
      companyUuid,
      channelUuid,
      wabaId,
      name,
      language,
      definition: {
        providerTemplateId: template.id,
        status,
        category: templateCategory(template.category),
        parameterFormat: template.parameterFormat,
        components: template.components,
      },
    },
    directCommand(app, { company: companyUuid, ...caller }),
  );
  const [event] = done.events;
  const change = !event ? 'unchanged' : event.type === 'TemplateImported' ? 'imported' : 'changed';
  return { id, change, position: done.position };
}

/** Templates of the account as far as Recado knows them. */
async function known(app: App, channel: Channel): Promise<readonly string[]> {
  const ids: string[] = [];
  let after: readonly (string | number | null)[] | undefined;
  for (;;) {
    const page = await app.readModels.find<{ readonly waba_id: string }>('templates', {
      index: 'by_company',
      equals: [channel.companyUuid],
      order: 'asc',
      limit: READ_MODEL_PAGE,
      ...(after ? { after } : {}),
    });
    ids.push(...page.documents.filter(({ doc }) => doc.waba_id === channel.wabaId).map(({ id }) => id));
    if (page.next === null) return ids;
    after = page.next;
  }
}

const later = (a: Position | null, b: Position | null): Position | null =>
  a === null || (b !== null && b > a) ? b : a;
